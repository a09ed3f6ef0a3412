import { timeRangeOf } from '../../packages/fhir/date.ts'
import { fold } from '../../packages/fhir/fold.ts'
import type { SearchParameters } from './fhir-store.ts'
import { searchText } from './search-text.ts'

/** Nobody types more; every further word only narrows what is found. */
const wordsMax = 8

/**
 * The searches that together find whom somebody meant: by name, and by identifier or day of birth where what was typed
 * has a digit in it. None for nothing.
 */
export function patientSearches(typed: string): readonly SearchParameters[] {
  const names = readingsOf(typed).map((name) => ({ name }))
  if (!/\d/.test(typed)) return names
  const born = birthDateIn(typed)
  const besideDate = born === undefined ? [] : [...besideNumber(born.rest, born.birthdate), ...birthSearches(born)]
  return [...names, { identifier: spellingsOf(typed.trim()) }, ...besideNumber(typed), ...besideDate]
}

/**
 * Who has somebody's papers at hand types what stands on them: `Smith 1234 5678`, `Smith 1988-07-09 12345678`. By all words
 * with a digit together, and by whatever else there is: by a number alone, everybody is looked for already.
 */
function besideNumber(typed: string, birthdate?: string): readonly SearchParameters[] {
  const pieces = piecesOf(typed)
  const numbers = pieces.filter((piece) => /\d/.test(piece))
  if (numbers.length === 0) return []
  const identifier = spellingsOf(numbers.join(' '))
  const others = birthdate === undefined ? { identifier } : { birthdate, identifier }
  const names = readingsOf(pieces.map((piece) => (/\d/.test(piece) ? ' ' : piece)).join(''))
  return names.length === 0 && birthdate !== undefined ? [others] : names.map((name) => ({ name, ...others }))
}

/**
 * A number is stored as its sender wrote it, and servers compare the whole of it: it is asked for as it was typed, in one, and
 * in groups, and in capitals as well.
 */
function spellingsOf(number: string): string {
  // Somebody has named the system as well, as FHIR does. More bars are of a code that was scanned, and servers refuse them.
  const [system = '', value, more] = number.split('|')
  if (value !== undefined && more === undefined) return `${searchText(system)}|${searchText(value)}`
  const written = number.split(separators).filter((group) => group !== '')
  const groups = written.length > 1 ? written : (written[0]?.match(/\d+|\D+/g) ?? [])
  const spellings = groups.length === 0 ? [number] : [number, ...['', ' ', '-'].map((between) => groups.join(between))]
  const all = [...spellings, ...spellings.map((spelling) => spelling.toUpperCase())]
  return [...new Set(all)].map(searchText).join(',')
}

/** What people and cards put between the groups of a number; dashes of several lengths look alike. */
const separators = /[\s,./|\-\u2010-\u2015\u2212]+/

/** Namesakes are told apart by the day of birth, or as much of it as is known: `Diallo 1988`, `Amina Diallo 9 Jul 1988`. */
function birthSearches({ birthdate, rest }: BornThen): readonly SearchParameters[] {
  const names = readingsOf(rest)
  return names.length === 0 ? [{ birthdate }] : names.map((name) => ({ name, birthdate }))
}

interface BornThen {
  /** As a search takes it, of two days where either may be meant. */
  readonly birthdate: string
  /** What else was typed. */
  readonly rest: string
}

/** The first thing that can be a birth date. */
function birthDateIn(typed: string): BornThen | undefined {
  const pieces = piecesOf(typed)
  const words = pieces.filter((_, at) => at % 2 === 0)
  for (const { length, datesOf } of waysOfDates) {
    for (const at of words.keys()) {
      const dates = datesOf(words.slice(at, at + length)).filter(isBirthDate)
      if (dates.length === 0) continue
      const rest = pieces.toSpliced(2 * at, 2 * length - 1, ' ').join('')
      return { birthdate: [...new Set(dates)].join(','), rest }
    }
  }
  return undefined
}

const monthNames = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
] as const

/**
 * Days as our pages and people's papers write them: `9 Jul 1988`, `July 9, 1988`, `9.7.1988`, and as FHIR does. Which of
 * `7/9/1988` is the month depends on where one grew up: both days are looked for. What is no date is sorted out later.
 */
const waysOfDates: readonly { readonly length: number; readonly datesOf: (words: readonly string[]) => string[] }[] = [
  {
    length: 3,
    datesOf: ([first, second, year]) => [
      dateOf(year, monthOf(second), dayOf(first)),
      dateOf(year, monthOf(first), dayOf(second)),
    ],
  },
  {
    length: 1,
    datesOf: ([word = '']) => {
      const [one, other, year, more] = word.split(/[./-]/)
      if (more !== undefined) return []
      return [dateOf(year, other, one), ...(word.includes('.') ? [] : [dateOf(year, one, other)])]
    },
  },
  { length: 1, datesOf: (words) => [...words] },
]

const dateOf = (year = '', month = '', day = ''): string => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

const dayOf = (word = ''): string => word.replace(/(?:\.|st|nd|rd|th)$/i, '')

function monthOf(word = ''): string {
  const name = word.replace(/\.$/, '').toLowerCase()
  return name.length < 3 ? '' : String(monthNames.findIndex((month) => month.startsWith(name)) + 1)
}

/** The words, and at odd places what stands between them: a comma says what is the family name. */
const piecesOf = (typed: string): readonly string[] => typed.split(/([\s,]+)/)

/** A year in which somebody of today can be born, a month or a day of one: any other is refused by servers. */
const isBirthDate = (word: string): boolean =>
  /^(?:19|20)\d{2}(?:-\d{2}){0,2}$/.test(word) && timeRangeOf(word) !== undefined

/**
 * A search for a name begins where a part of the name begins, and several searches must all fit. What was typed is read
 * as one part (`name.text`, two given names in one), as a part for each word, and as two parts for those whose family
 * name has several words: `Jan van der Berg`, `van der Berg, Jan`.
 */
function readingsOf(typed: string): readonly (readonly string[])[] {
  const parts = typed
    .split(',')
    .flatMap((part) => wordsIn(part).join(' ') || [])
    .slice(0, wordsMax)
  const [first, ...rest] = wordsIn(parts.join(' '))
  if (first === undefined) return []
  const inTwo = parts.length > 1 ? parts : [first, rest.join(' ')]
  const readings = [[parts.join(' ')], [first, ...rest], inTwo].map((reading) => reading.filter((part) => part !== ''))
  const distinct = [...new Map(readings.map((reading) => [reading.join(','), reading])).values()]
  return distinct.map((reading) => reading.map(waysOfWriting))
}

/** `O'Brien` may be stored as O’Brien, OBRIEN or O BRIEN, and Smith-Jones in one or in two: servers compare every sign. */
function waysOfWriting(part: string): string {
  if (/\d/.test(part)) return part
  const written = (apostrophe: string, hyphen: string) =>
    part.replace(apostrophes, apostrophe).replace(hyphens, hyphen).trim()
  const without = ['-', ' ', ''].map((hyphen) => written('', hyphen))
  const ways = [part, written("'", '-'), written('’', '-'), ...without, written(' ', ' ')]
  return [...new Set(ways)].join(',')
}

const apostrophes = /['’‘ʼ`´]/g
const hyphens = /[-\u2010-\u2015]/g

/** A sign or an accent that stands alone says nothing, and no server looks for nothing. */
const wordsIn = (text: string): readonly string[] =>
  text
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(fold(word.replace(apostrophes, ''))))
    .slice(0, wordsMax)
