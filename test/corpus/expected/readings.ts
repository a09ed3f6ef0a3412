/** How a raw value reads in FHIR, said as plainly as section 9a of the tables says it. Each gives a list. */
export const readings: Readonly<Record<string, (raw: string) => readonly string[]>> = {
  date: (raw) => known(dateOf(raw)),
  dateTime: (raw) => known(dateTimeOf(raw)),
  /** A time of birth beside its date; midnight is a date. */
  birthTime: (raw) => (/^\d{10}/.test(raw) && !/^\d{8}0000(00)?(\D|$)/.test(raw) ? known(dateTimeOf(raw)) : []),
  number: (raw) => (/^[+-]?\d+(\.\d+)?$/.test(raw.trim()) ? [String(Number(raw))] : []),
  yes: (raw) => (/^Y(ES)?$/i.test(raw.trim()) ? ['true'] : /^NO?$/i.test(raw.trim()) ? ['false'] : []),
  words: (raw) => raw.split(/\s+/).filter(Boolean),
  /** XPN: the first given name and the further ones. */
  given: (raw) => [piece(raw, 2), ...piece(raw, 3).split(/\s+/)].filter(Boolean),
  /** XPN: from when on the name was used. */
  since: (raw) => known(dateTimeOf(piece(raw, 12)) || dateTimeOf(piece(raw, 10, 1))),
  /** XPN: suffix, degree, professional suffix. */
  suffixes: (raw) => [piece(raw, 4), piece(raw, 6), piece(raw, 14)].filter(Boolean),
  /** XAD: street, other designation, addressee. */
  lines: (raw) => [piece(raw, 1, 1), piece(raw, 2), piece(raw, 19)].filter(Boolean),
  /** XTN: component 12, else the parts, else the first; an e-mail address has its own. */
  contact: (raw) => known(contactOf(raw)),
  /** XCN: as people are called. */
  person: (raw) => known([piece(raw, 6), piece(raw, 3), piece(raw, 4), piece(raw, 2, 1)].filter(Boolean).join(' ')),
  /** NDL: the same, with its parts in sub-components. */
  performer: (raw) =>
    known(
      [6, 3, 4, 2]
        .map((number) => piece(raw, 1, number))
        .filter(Boolean)
        .join(' '),
    ),
  /** PL: from the site down to the bed. */
  placeName: (raw) =>
    known(
      [4, 7, 1, 8, 2, 3]
        .map((number) => piece(raw, number, 1))
        .filter(Boolean)
        .join(' '),
    ),
  /** CWE: the three codes. */
  codes: (raw) => [piece(raw, 1), piece(raw, 4), piece(raw, 10)].filter(Boolean),
  /** CWE: original text, else the first text, else the code. */
  words9: (raw) => known(piece(raw, 9) || piece(raw, 2) || piece(raw, 5) || piece(raw, 1) || piece(raw, 4)),
  lower: (raw) => known(raw.toLowerCase()),
}

const known = (text: string | undefined): readonly string[] => (text === undefined || text === '' ? [] : [text])

function piece(raw: string, component: number, subcomponent?: number): string {
  const found = raw.split('^')[component - 1] ?? ''
  return (subcomponent === undefined ? found : (found.split('&')[subcomponent - 1] ?? '')).trim()
}

function dateOf(raw: string): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d{2})?(\d{2})?/.exec(raw.trim()) ?? []
  return [year, month, day].filter((part) => part !== undefined).join('-')
}

/** Without offset: the clocks of the facility, which stands in Mauritius. */
function dateTimeOf(raw: string): string | undefined {
  const [, date = '', hour, minute = '00', second = '00', fraction = '', sign] =
    /^(\d{4,8})(?:(\d{2})(\d{2})?(\d{2})?(\.\d+)?)?([+-]\d{4})?$/.exec(raw.trim().split('^')[0] ?? '') ?? []
  if (hour === undefined || date.length < 8) return dateOf(date)
  const offset = sign === undefined ? '+04:00' : `${sign.slice(0, 3)}:${sign.slice(3)}`
  return `${dateOf(date)}T${hour}:${minute}:${second}${fraction}${offset}`
}

function contactOf(raw: string): string | undefined {
  const isMail = piece(raw, 3) === 'Internet' || piece(raw, 3) === 'X.400'
  if (isMail && piece(raw, 4) !== '') return piece(raw, 4)
  if (piece(raw, 12) !== '') return piece(raw, 12)
  if (piece(raw, 7) === '') return piece(raw, 1) || piece(raw, 4)
  const country = piece(raw, 5) === '' ? '' : `+${piece(raw, 5)}`
  const extension = piece(raw, 8) === '' ? '' : `x${piece(raw, 8)}`
  return [country, piece(raw, 6), piece(raw, 7), extension].filter(Boolean).join(' ')
}
