import type { Comparison } from './comparison.ts'
import { isOneEdit } from './one-edit.ts'

/** Some 23,000 days that the living were born on are 14.5 bits. */
export const birthDateBits = {
  sameDay: 14.5,
  sameMonth: 10,
  sameYear: 6,
  swapped: 9,
  oneEdit: 7,
  twoOfThree: 5,
  otherwise: -12,
} as const

export function compareBirthDates(a: string | undefined, b: string | undefined): Comparison | undefined {
  if (a === undefined || b === undefined) return undefined
  if (a.length < 10 || b.length < 10) return compareShortened(a, b)
  if (a === b) return { field: 'birthDate', agreement: 'agrees', bits: birthDateBits.sameDay }
  const [yearOfA, monthOfA, dayOfA] = a.split('-')
  const [yearOfB, monthOfB, dayOfB] = b.split('-')
  if (yearOfA === yearOfB && monthOfA === dayOfB && dayOfA === monthOfB) return partly(birthDateBits.swapped)
  if (isOneEdit(a.replaceAll('-', ''), b.replaceAll('-', ''))) return partly(birthDateBits.oneEdit)
  const equalParts = Number(yearOfA === yearOfB) + Number(monthOfA === monthOfB) + Number(dayOfA === dayOfB)
  return equalParts === 2 ? partly(birthDateBits.twoOfThree) : contradiction
}

/** Only as much as both know. */
function compareShortened(a: string, b: string): Comparison {
  const length = Math.min(a.length, b.length)
  if (a.slice(0, length) === b.slice(0, length))
    return partly(length === 7 ? birthDateBits.sameMonth : birthDateBits.sameYear)
  // An estimated year is often one off.
  const yearsApart = Math.abs(Number(a.slice(0, 4)) - Number(b.slice(0, 4)))
  return yearsApart <= 1 ? partly(0) : contradiction
}

const partly = (worth: number): Comparison => ({ field: 'birthDate', agreement: 'partly', bits: worth })
const contradiction: Comparison = { field: 'birthDate', agreement: 'contradicts', bits: birthDateBits.otherwise }
