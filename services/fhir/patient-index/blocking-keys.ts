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
  if (day !== undefined) keys.add(`b|${day}`)
  for (const name of person.names) addNameKeys(name, birthDate, keys)
  return [...keys]
}

/** Those of the person's own record numbers: whoever is found by one is the same record, whatever else it says. */
export const recordKeys = ({ recordIds }: Person): string[] =>
  recordIds.map(idKey).filter((key) => key.length < keyLengthMax)

/** Of the keys that are made of names alone. */
export const nameKeyBegin = 'n|'

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
  for (const sound of [...families, ...givens.slice(0, 1)]) keys.add(`f|${sound}|${birthDate.slice(0, 7)}`)
}

/** Of each part of the name, and of the whole: Garcia Lopez is found as Garcia, De Souza as Desouza. */
function sounds(name: string): string[] {
  if (name === '') return []
  const parts = name.split(' ').slice(0, 3)
  const all = [...parts.filter((part) => part.length > 1), ...(parts.length > 1 ? [parts.join('')] : [])]
  return [...new Set(all.map(phoneticKey))].filter((key) => key !== '')
}
