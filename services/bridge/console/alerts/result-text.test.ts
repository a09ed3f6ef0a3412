import { expect, it } from 'vitest'
import type { Observation } from '../../../../packages/fhir/r4.ts'
import { resultText } from './result-text.ts'

const coded = (code: string, display?: string) => ({
  coding: [{ code, ...(display === undefined ? {} : { display }) }],
})
const observation = (changes: Partial<Observation>): Observation => ({
  resourceType: 'Observation',
  status: 'final',
  code: { text: 'Potassium' },
  ...changes,
})

it('of a laboratory says what, how much, how critical and when', () => {
  const potassium = observation({
    valueQuantity: { value: 6.8, unit: 'mmol/L' },
    interpretation: [coded('HH')],
    effectiveDateTime: '2026-03-04T10:15:00Z',
  })
  const flag = 'critical high'
  const at = '2026-03-04T10:15:00Z'
  expect(resultText(potassium)).toEqual({ what: 'Potassium', value: '6.8 mmol/L', flag, at, status: undefined })
})

it.each<[Partial<Observation>, string]>([
  [{ valueQuantity: { value: 0, code: 'mmol/L' } }, '0 mmol/L'],
  [{ valueQuantity: { comparator: '>', value: 9, unit: 'mmol/L' } }, '>9 mmol/L'],
  [{ valueQuantity: { unit: 'mmol/L' } }, 'mmol/L'],
  [{ valueQuantity: { value: 6.8 } }, '6.8 (no unit given)'],
  [{ valueQuantity: { value: 7.1, code: '1', system: 'http://unitsofmeasure.org' } }, '7.1'],
  [{ valueCodeableConcept: coded('P', 'Positive') }, 'Positive'],
  [{ valueString: 'Growth of E. coli' }, 'Growth of E. coli'],
  [{ valueInteger: 0 }, '0'],
  [{ valueRange: { low: { value: 1 }, high: { value: 2, unit: 'g' } } }, '1 to 2 g'],
  [{ valueRatio: { numerator: { value: 1 }, denominator: { value: 128 } } }, '1 : 128'],
  [{ valuePeriod: { start: '2026-03-04', end: '2026-03-05' } }, '2026-03-04 to 2026-03-05'],
  [{ valuePeriod: { end: '2026-03-05' } }, 'to 2026-03-05'],
  [{ valueSampledData: { origin: { value: 0 }, period: 10, dimensions: 1, data: '1 2' } }, 'a series of points'],
  [{ dataAbsentReason: coded('error', 'Error') }, 'Error'],
  [{}, 'no value'],
  [
    {
      component: [
        { code: { text: 'Systolic' }, valueQuantity: { value: 240, unit: 'mmHg' } },
        { code: { text: 'Diastolic' }, valueQuantity: { value: 130, unit: 'mmHg' } },
      ],
    },
    'Systolic 240 mmHg, Diastolic 130 mmHg',
  ],
])('says the value of %j', (changes, value) => {
  expect(resultText(observation(changes)).value).toBe(value)
})

it('says what became of one that does not hold, and names one without a text by its code', () => {
  expect(resultText(observation({ status: 'entered-in-error' })).status).toBe('entered in error')
  expect(resultText(observation({ code: coded('2823-3') })).what).toBe('2823-3')
  expect(resultText(observation({ code: {} })).what).toBe('A result without a name')
})

it('says of several parts which is the critical one', () => {
  const sodium = { code: { text: 'Sodium' }, valueQuantity: { value: 140, unit: 'mmol/L' } }
  const potassium = {
    ...{ code: { text: 'Potassium' }, valueQuantity: { value: 2.1, unit: 'mmol/L' } },
    interpretation: [coded('L'), coded('LL')],
  }
  const { value, flag } = resultText(observation({ component: [potassium, sodium] }))
  expect([value, flag]).toEqual(['Potassium 2.1 mmol/L (critical low), Sodium 140 mmol/L', undefined])
})
