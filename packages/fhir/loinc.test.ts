import { expect, it } from 'vitest'
import { hasLoincCheckDigit } from './loinc.ts'

it.each([
  ['718', '7'],
  ['15074', '8'],
  ['94500', '6'],
  ['1', '8'],
])('%s has the check digit %s and no other', (digits, check) => {
  const all = Array.from('0123456789')
  expect(all.filter((digit) => hasLoincCheckDigit(digits, digit))).toEqual([check])
})
