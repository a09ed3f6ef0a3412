import { expect, it } from 'vitest'
import { isLoincForm } from './loinc-check.ts'

it.each(['718-7', '2345-7', '1-8', 'LA33-6', 'LA32-8', 'LA6568-5', 'LA6571-9', 'LP7839-6', 'LL360-9', 'LG51012-2'])(
  '%s has the form of a LOINC code',
  (code) => {
    expect(isLoincForm(code)).toBe(true)
  },
)

it.each(['718-8', '718', '7187', 'GLU', '12345678-4', 'LX33-6', 'la33-6', 'LA-6', 'LA33-66', 'LA33', ''])(
  '%j has not',
  (code) => {
    expect(isLoincForm(code)).toBe(false)
  },
)
