/**
 * Whether a text is a unit of UCUM in the letters of medicine: terms joined by `.` and `/`, exponents, brackets,
 * annotations, metric prefixes. It knows the atoms that laboratories and wards use, not the whole of UCUM; what it does
 * not know may still be a unit.
 */
export function isKnownUnit(text: string): boolean {
  if (text === '' || text.length > 80 || /\s/.test(text)) return false
  const withoutNotes = text.replace(/\{[\x21-\x7a|~]*\}/g, '\u0001')
  return isTerm(withoutNotes.startsWith('/') ? withoutNotes.slice(1) : withoutNotes)
}

function isTerm(text: string): boolean {
  const inner = /^(.*)\(([^()]*)\)(.*)$/.exec(text)
  // A bracket is a term of its own; in its place stands the number one.
  if (inner !== null) return isTerm(inner[2] ?? '') && isTerm(`${inner[1]}1${inner[3]}`)
  return text.split(/[./]/).every(isComponent)
}

function isComponent(text: string): boolean {
  const bare = text.replaceAll('\u0001', '')
  // An annotation alone stands for 1: {cells}.
  if (bare === '') return text !== ''
  if (/^(?:\d+|10[*^]-?\d+)$/.test(bare)) return true
  const [, unit = ''] = /^(.*?)(?:[+-]?\d+)?$/.exec(bare) ?? []
  return atoms.has(unit) || prefixes.some((prefix) => unit.startsWith(prefix) && metric.has(unit.slice(prefix.length)))
}

const prefixes = ['Y', 'Z', 'E', 'P', 'T', 'G', 'M', 'k', 'h', 'da', 'd', 'c', 'm', 'u', 'n', 'p', 'f', 'a', 'z', 'y']

/** Atoms that take a prefix. */
const metric = new Set(
  `m s g rad K cd C mol sr Hz N Pa J W A V F Ohm S Wb Cel T H lm lx Bq Gy Sv l L ar t bar u eV kat U [IU] [iU] Osm eq
   m[Hg] m[H2O] cal dyn erg Ci R B Np g% bit By`.split(/\s+/),
)

const atoms = new Set([
  ...metric,
  ...`10* 10^ % [ppth] [ppm] [ppb] [pptr] min h d a wk mo a_j mo_j deg ' '' [in_i] [ft_i] [yd_i] [mi_i] [oz_av] [lb_av]
   [degF] [pH] [HPF] [LPF] [arb'U] [APL'U] [MPL'U] [GPL'U] [CFU] [PFU] [hnsf'U] [beth'U] [tb'U] [drp] [cup_us]
   [tsp_us] [tbs_us] [foz_us] [Ch] [diop] [p'diop] [MET] [Cal] [CCID_50] [EID_50] [TCID_50] [FFU] [knk'U] [mclg'U]
   [todd'U] [dye'U] [smgy'U] [ka'U] [USP'U] [mesh_i]`.split(/\s+/),
])
