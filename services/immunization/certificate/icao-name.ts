import type { CertifiedPerson } from './certified-dose.ts'

/** The parts of a name, where they are known. */
export interface NamedPerson extends CertifiedPerson {
  readonly family?: string | null
  readonly given?: readonly string[]
}

/** The most characters of a name in a machine-readable passport, and so in VDS-NC. */
const nameLengthMax = 39

/**
 * A name as ICAO Doc 9303 part 3 writes it: transliterated, surname first, `<<` between surname and given names, cut at
 * 39 characters from the end of its parts so that some of every part stays.
 */
export function icaoName(person: NamedPerson): string {
  const given = person.given ?? []
  const isParted = person.family !== undefined && person.family !== null
  const [surname, others] = isParted ? [person.family, given] : fromText(person.name ?? '')
  const primary = words(surname)
  const secondary = others.flatMap(words)
  return fitted(primary, secondary)
}

/** Without parts, a comma tells the surname; else the name stays one part in its order. */
function fromText(text: string): [string, readonly string[]] {
  const [surname = '', ...rest] = text.split(',')
  return [surname, rest]
}

const words = (part: string | null): string[] =>
  transliterated(part ?? '')
    .split('<')
    .filter((word) => word !== '')

function fitted(primary: readonly string[], secondary: readonly string[]): string {
  const whole = [primary.join('<'), secondary.join('<')].filter((part) => part !== '').join('<<')
  if (whole.length <= nameLengthMax) return whole
  // The given names become initials from the last one on, then the end is cut.
  const lastLong = secondary.findLastIndex((word) => word.length > 1)
  if (lastLong > 0) return fitted(primary, secondary.with(lastLong, secondary[lastLong]?.slice(0, 1) ?? ''))
  return whole.slice(0, nameLengthMax).replace(/<+$/, '')
}

function transliterated(text: string): string {
  const letters = text.normalize('NFC').toUpperCase()
  return Array.from(letters)
    .map((letter, at, all) => latin(letter, all[at + 1]))
    .join('')
}

function latin(letter: string, next: string | undefined): string {
  if (/[A-Z]/.test(letter)) return letter
  // At the end of a word the letter is pronounced otherwise, and Doc 9303 writes it otherwise.
  if (letter === 'ة') return next === undefined || next === ' ' ? 'XAH' : 'XTA'
  const known = table.get(letter)
  if (known !== undefined) return known
  const base = letter.normalize('NFD').slice(0, 1)
  return /[A-Z]/.test(base) ? base : '<'
}

/** Doc 9303 part 3, section 6, as far as it differs from leaving an accent away. */
const table = new Map([
  ...pairs('Ä AE Å AA Æ AE Ð D Ö OE Ø OE Ü UE Þ TH ẞ SS Đ D Ħ H Ĳ IJ Ł L Ŋ N Œ OE Ŧ T'),
  ...pairs('А A Б B В V Г G Д D Е E Ё E Ж ZH З Z И I Й I К K Л L М M Н N О O П P Р R С S Т T У U Ф F Х KH Ц TS Ч CH'),
  ...pairs('Ш SH Щ SHCH Ъ IE Ы Y Э E Ю IU Я IA'),
  ...pairs('ء XE آ XAA أ XAE ؤ U إ I ئ XI ا A ب B ت T ث XTH ج J ح XH خ XKH د D ذ XDH ر R ز Z س S ش XSH ص XSS'),
  ...pairs('ض XDZ ط XTT ظ XZZ ع E غ G ف F ق Q ك K ل L م M ن N ه H و W ى XAY ي Y'),
  // Left out altogether: apostrophes, the soft sign, vowel signs of Arabic and its stretcher.
  ...Array.from("'’ʼЬ\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0640", (sign) => [sign, ''] as const),
])

function pairs(text: string): [string, string][] {
  const parts = text.split(' ')
  return parts.flatMap((letter, at) => (at % 2 === 0 ? [[letter, parts[at + 1] ?? '']] : []))
}
