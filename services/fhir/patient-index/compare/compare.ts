import { nameBitsMax, type NameFrequency } from '../name-frequency.ts'
import type { Person } from '../person.ts'
import { birthDateBits, compareBirthDates } from './birth-dates.ts'
import type { Comparison, Field } from './comparison.ts'
import { most } from './most.ts'
import { compareIdentifiers, identifierBits } from './identifiers.ts'
import { compareNames } from './names.ts'

/**
 * Everything that speaks for or against two records being one person (Fellegi and Sunter's weights); nothing where it
 * comes to less than `bitsMin` whatever the names, because names are what takes time to compare.
 */
export function comparePeople(
  a: Person,
  b: Person,
  frequency: NameFrequency,
  bitsMin = Number.NEGATIVE_INFINITY,
): Comparison[] {
  const rest = compareTheRest(a, b)
  const bits = rest.reduce((sum, comparison) => sum + comparison.bits, 0)
  return bits + nameBitsMost < bitsMin ? [] : [...compareNames(a.names, b.names, frequency), ...rest]
}

/**
 * What sharing the names may at most come to with somebody who was born on wholly another day, and has none of the
 * numbers and phones: less than an even chance where the names are common.
 */
export function bitsOfNamesAlone(person: Person, frequency: NameFrequency): number {
  const worth = (field: 'family' | 'given', name: string) =>
    most(name.split(' ').map((part) => frequency.bits(field, part)))
  const names = person.names.map(({ family, given }) => worth('family', family) + worth('given', given))
  const rest = birthDateBits.otherwise + sexBits.same + (person.postcodes.length === 0 ? 0 : postcodeBits)
  return most(names) + rest + (person.nationalIds.length === 0 ? 0 : identifierBits.oneEdit)
}

/** Family and given name, both as rare as can be. */
const nameBitsMost = 2 * nameBitsMax
const sexBits = { same: 1, different: -5 } as const
const postcodeBits = 5

function compareTheRest(a: Person, b: Person): Comparison[] {
  const found = [
    compareBirthDates(a.birthDate, b.birthDate),
    compareSexes(a.sex, b.sex),
    // People change number and address, and families share them: a difference says nothing.
    shared('phone', a.phones, b.phones, 10),
    shared('postcode', a.postcodes, b.postcodes, postcodeBits),
  ]
  return [...compareIdentifiers(a, b), ...found.filter((comparison) => comparison !== undefined)]
}

function compareSexes(a: Person['sex'], b: Person['sex']): Comparison | undefined {
  if (a === undefined || b === undefined) return undefined
  return a === b
    ? { field: 'sex', agreement: 'agrees', bits: sexBits.same }
    : { field: 'sex', agreement: 'contradicts', bits: sexBits.different }
}

function shared(
  field: Field,
  ones: readonly string[],
  others: readonly string[],
  bits: number,
): Comparison | undefined {
  return ones.some((one) => others.includes(one)) ? { field, agreement: 'agrees', bits } : undefined
}
