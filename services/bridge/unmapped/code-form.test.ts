import { expect, it } from 'vitest'
import { wrongFormOf } from './code-form.ts'

const loinc = 'http://loinc.org'
const ucum = 'http://unitsofmeasure.org'

it.each(['718-7', '15074-8', '2823-3', '4548-4', '94500-6', '30522-7', '1-8'])('takes the LOINC code %s', (code) => {
  expect(wrongFormOf(code, loinc)).toBeUndefined()
})

it.each(['718-8', '718', '7187', 'GLU', '718–7', '12345678-4', 'LP1234-5', ''])(
  'takes %j for no LOINC code',
  (code) => {
    expect(wrongFormOf(code, loinc)).toContain('must be a LOINC code, such as 718-7')
  },
)

it.each([
  ['mmol/L', ucum],
  ['{score}', ucum],
  ['44054006', 'http://snomed.info/sct'],
])('takes %s of %s', (code, system) => {
  expect(wrongFormOf(code, system)).toBeUndefined()
})

it.each(['718-7 ', 'type 2 diabetes', 'a\u00a0b', 'a\tb'])('takes %j for words, in every system', (code) => {
  expect([loinc, ucum].map((system) => wrongFormOf(code, system))).toEqual([
    expect.stringContaining('has no spaces'),
    expect.stringContaining('has no spaces'),
  ])
})
