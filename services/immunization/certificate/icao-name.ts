import type { CertifiedPerson } from './certified-dose.ts'

/** The parts of a name, where they are known. */
export interface NamedPerson extends CertifiedPerson {
  readonly family?: string | null
  readonly given?: readonly string[]
}

/** The most characters of a name in a machine-readable passport, and so in VDS-NC. */
const nameLengthMax = 39

/**
 * A name as ICAO Doc 9303 part 3 writes it: transliterated, surname first, `<<` between surname and given names, in at
 * most 39 characters. What is too long is made initials and cut from the end of its parts, as in the examples of part 4:
 * some of the surname and some of the given names stay.
 */
export function icaoName(person: NamedPerson): string {
  const [surname, others] = partsOf(person)
  return fitted(words(surname).slice(0, wordsMax), others.flatMap(words).slice(0, wordsMax))
}

/**
 * More words than fit as initials: what comes after them changes nothing. A book in the place of a name is shortened word by
 * word, and some twenty thousand took all the memory of the process.
 */
const wordsMax = nameLengthMax

/** The first letter of a name that Doc 9303 has no way to write: without it, the name would be another one. */
export function unwritableLetter(person: NamedPerson): string | undefined {
  const [surname, others] = partsOf(person)
  return [surname, ...others].flatMap(lettersOf).find((letter) => isLetter.test(letter) && latin(letter) === undefined)
}

function partsOf({ family = null, given = [], name }: NamedPerson): [string, readonly string[]] {
  return family === null ? fromText(name ?? '') : [family, given]
}

/** Without parts, a comma tells the surname; else the name stays one part in its order. */
function fromText(text: string): [string, readonly string[]] {
  const [surname = '', ...rest] = text.split(',')
  return [surname, rest]
}

const words = (part: string): string[] =>
  lettersOf(part)
    .map((letter, at, all) => latin(letter, all[at + 1]) ?? '<')
    .join('')
    .split('<')
    .filter((word) => word !== '')

function fitted(surname: readonly string[], given: readonly string[]): string {
  const whole = joined(surname, given)
  if (whole.length <= nameLengthMax) return whole
  const shorterGiven = withOneInitialMore(given)
  if (shorterGiven !== undefined) return fitted(surname, shorterGiven)
  if (given.length === 0 || surname.join('<').length <= surnameLengthMax) return cut(whole, nameLengthMax)
  const shorterSurname = withOneInitialMore(surname)
  if (shorterSurname !== undefined) return fitted(shorterSurname, given)
  return cut(joined([cut(surname.join('<'), surnameLengthMax)], given), nameLengthMax)
}

/** So much of the surname leaves room for `<<` and a letter of the first given name: twins are told apart by it alone. */
const surnameLengthMax = nameLengthMax - 3

const joined = (surname: readonly string[], given: readonly string[]): string =>
  [surname.join('<'), given.join('<')].filter((part) => part !== '').join('<<')

/** From the last word on; the first is never an initial. */
function withOneInitialMore(names: readonly string[]): string[] | undefined {
  const lastLong = names.findLastIndex((name) => name.length > 1)
  return lastLong > 0 ? names.with(lastLong, names[lastLong]?.slice(0, 1) ?? '') : undefined
}

const cut = (name: string, length: number): string => name.slice(0, length).replace(/<+$/, '')

/** In capitals, without what is left out altogether: what stands over or under a letter, and what only joins or stretches. */
const lettersOf = (part: string): string[] =>
  Array.from(part.replaceAll(apostrophes, '').normalize('NFKC').toUpperCase().normalize('NFC').replaceAll(leftOut, ''))

// Some of them would fall apart into a space and a sign.
const apostrophes = /['’‘`´ʹʻʼʾʿ]/g
const leftOut = /[\p{M}\p{Cf}·Ь\u0640]/gu
const isLetter = /\p{L}/u

/** Undefined for what has no Latin letters: between words, and of other scripts. */
function latin(letter: string, next?: string): string | undefined {
  if (/[A-Z]/.test(letter)) return letter
  // At the end of a word the letter is pronounced otherwise, and Doc 9303 writes it otherwise.
  if (letter === 'ة') return next !== undefined && isLetter.test(next) ? 'XTA' : 'XAH'
  const known = table.get(letter)
  if (known !== undefined) return known
  const base = letter.normalize('NFD').slice(0, 1)
  return /[A-Z]/.test(base) ? base : undefined
}

/** Doc 9303 part 3, section 6, as far as it differs from leaving an accent away. */
const table = new Map([
  ...pairs('Ä AE Å AA Æ AE Ð D Ö OE Ø OE Ü UE Þ TH ẞ SS Đ D Ħ H Ł L Ŋ N Œ OE Ŧ T'),
  ...pairs('А A Б B В V Г G Д D Е E Ё E Ж ZH З Z И I Й I К K Л L М M Н N О O П P Р R С S Т T У U Ф F Х KH Ц TS Ч CH'),
  // Where languages differ, the letter as most of them have it: a name does not say of which language it is.
  ...pairs('Ш SH Щ SHCH Ъ IE Ы Y Э E Ю IU Я IA І I Ї I Є IE Ґ G Ў U Ђ D Ћ C Ј J Љ LJ Њ NJ Џ DZ Ѕ DZ Ѓ GJ Ќ KJ'),
  ...pairs('ء XE آ XAA أ XAE ؤ U إ I ئ XI ا A ب B ت T ث XTH ج J ح XH خ XKH د D ذ XDH ر R ز Z س S ش XSH ص XSS'),
  ...pairs('ض XDZ ط XTT ظ XZZ ع E غ G ف F ق Q ك K ل L م M ن N ه H و W ى XAY ي Y ٱ XXA'),
  // Persian, Urdu and Pashto.
  ...pairs('پ P چ XC ژ XJ ک XKK گ XGG ی XYA ٹ XXT ڈ XXD ڑ XXR ں XNN ھ XDO ہ XXG ۂ XGE ۃ XTG ۀ XYH ے XYB ۓ XBE'),
  ...pairs('ټ XRT ځ XKE څ XXH ډ XDR ړ XRR ږ XRX ښ XXS ګ XXK ڭ XNG ڼ XXN ۍ XXY ې Y'),
])

function pairs(text: string): [string, string][] {
  const parts = text.split(' ')
  return parts.flatMap((letter, at) => (at % 2 === 0 ? [[letter, parts[at + 1] ?? '']] : []))
}
