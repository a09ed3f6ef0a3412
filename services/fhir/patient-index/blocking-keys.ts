import { datesNear } from './compare/dates-near.ts'
import { fullBirthDate, type Person, type PersonName } from './person.ts'
import { phoneticKey } from './phonetic-key.ts'

/**
 * Only people who share one of these are compared at all. A person without any cannot be looked for. The first letter
 * says the kind, so that a postcode is never taken for a phone number.
 */
export function blockingKeys(person: Person): string[] {
  const { birthDate = '' } = person
  const day = fullBirthDate(person)
  const keys = new Set<string>()
  for (const id of [...person.nationalIds, ...person.personalIds, ...person.recordIds]) keys.add(idKey(id))
  for (const phone of person.phones) keys.add(`t|${phone}`)
  if (day !== undefined) keys.add(`${dayKeyBegin}${day}`)
  for (const name of person.names) addNameKeys(name, birthDate, keys)
  return [...keys]
}

/** Those of the person's own record numbers: whoever is found by one is the same record, whatever else it says. */
export const recordKeys = ({ recordIds }: Person): string[] =>
  recordIds.map(idKey).filter((key) => key.length < keyLengthMax)

/** Of the keys that are made of names alone. */
export const nameKeyBegin = 'n|'
const dayKeyBegin = 'b|'
/** Of one name and the month of birth. */
const soundKeyBegin = 'f|'

/** Those who have a key, and another one as well; or who were born on one of these days, or nobody knows when. */
export type NarrowKey =
  | { readonly key: string; readonly also: string }
  | { readonly key: string; readonly days: readonly string[] }

/**
 * More people than are looked at have each of these keys. A birthday alone, or one name and a month, make nobody a rival: who has
 * another of them as well is asked for, and of those who have both names whoever was born on nearly the same day. Undefined where
 * nothing narrower brings all who count: a number or a telephone of so many is nobody's, and rare names count whenever their
 * bearers were born.
 * @param born as the others were asked for (`Asked`)
 */
export function keysOfRivals(cut: readonly string[], born: string | undefined): readonly NarrowKey[] | undefined {
  const ofKind = (begin: string) => cut.filter((key) => key.startsWith(begin))
  const [ofNames, ofDays, ofMonths] = [ofKind(nameKeyBegin), ofKind(dayKeyBegin), ofKind(soundKeyBegin)]
  if (ofNames.length + ofDays.length + ofMonths.length < cut.length) return undefined
  if (ofNames.length > 0 && born === undefined) return undefined
  const near = born === undefined || ofNames.length === 0 ? [] : datesNear(born)
  return [
    ...ofNames.map((key) => ({ key, days: near })),
    ...ofDays.flatMap((key) => ofMonths.map((also) => ({ key, also }))),
  ]
}

const keyLengthMax = 200
const idKey = (id: string) => `i|${id}`.slice(0, keyLengthMax)

/** Both names are put in the order of the alphabet, which finds swapped names with one key instead of two. */
function addNameKeys({ family, given }: PersonName, birthDate: string, keys: Set<string>): void {
  const families = sounds(family)
  const givens = sounds(given)
  for (const one of families) {
    for (const other of givens) keys.add(`${nameKeyBegin}${[one, other].sort().join('|')}`)
  }
  if (birthDate.length < 7) return
  for (const sound of [...families, ...givens.slice(0, 1)])
    keys.add(`${soundKeyBegin}${sound}|${birthDate.slice(0, 7)}`)
}

/** Of each part of the name, and of the whole: Garcia Lopez is found as Garcia, De Souza as Desouza. */
function sounds(name: string): string[] {
  if (name === '') return []
  const parts = name.split(' ').slice(0, 3)
  const all = [...parts.filter((part) => part.length > 1), ...(parts.length > 1 ? [parts.join('')] : [])]
  return [...new Set(all.map(phoneticKey))].filter((key) => key !== '')
}
