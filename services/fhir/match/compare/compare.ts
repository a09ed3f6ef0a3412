import type { NameFrequency } from '../name-frequency.ts'
import type { Person } from '../person.ts'
import { compareBirthDates } from './birth-dates.ts'
import type { Comparison, Field } from './comparison.ts'
import { compareIdentifiers } from './identifiers.ts'
import { compareNames } from './names.ts'

/** Everything that speaks for or against two records being one person (Fellegi and Sunter's weights). */
export function comparePeople(a: Person, b: Person, frequency: NameFrequency): Comparison[] {
  const found = [
    compareBirthDates(a.birthDate, b.birthDate),
    compareSexes(a.sex, b.sex),
    // People change number and address, and families share them: a difference says nothing.
    shared('phone', a.phones, b.phones, 10),
    shared('postcode', a.postcodes, b.postcodes, 5),
  ]
  return [
    ...compareNames(a.names, b.names, frequency),
    ...compareIdentifiers(a, b),
    ...found.filter((comparison) => comparison !== undefined),
  ]
}

function compareSexes(a: Person['sex'], b: Person['sex']): Comparison | undefined {
  if (a === undefined || b === undefined) return undefined
  return a === b ? { field: 'sex', agreement: 'agrees', bits: 1 } : { field: 'sex', agreement: 'contradicts', bits: -5 }
}

function shared(
  field: Field,
  ones: readonly string[],
  others: readonly string[],
  bits: number,
): Comparison | undefined {
  return ones.some((one) => others.includes(one)) ? { field, agreement: 'agrees', bits } : undefined
}
