import { describe, expect, it } from 'vitest'
import type { MedicationRequest, Observation, Quantity } from '../../../packages/fhir/r4.ts'
import { firedRules } from './cds-rules.ts'

const result = (code: string, value: number, given: Partial<Observation> = {}): Observation => ({
  resourceType: 'Observation',
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code }] },
  effectiveDateTime: '2026-03-04T05:00:00Z',
  valueQuantity: { value, unit: 'mmol/L', code: 'mmol/L' },
  ...given,
})

const drug = (text: string, given: Partial<MedicationRequest> = {}): MedicationRequest => ({
  resourceType: 'MedicationRequest',
  status: 'active',
  intent: 'order',
  subject: {},
  medicationCodeableConcept: { text },
  ...given,
})

const measured = (code: string, valueQuantity: Quantity) => result(code, 0, { valueQuantity })
const egfr = (value: number, given: Omit<Quantity, 'value'> = { unit: 'mL/min/{1.73_m2}' }) =>
  measured('33914-3', { value, ...given })

const fired = (results: readonly Observation[], drugs: readonly MedicationRequest[]) =>
  firedRules(results, drugs).map(({ rule }) => rule)

describe('decision support', () => {
  it.each<[string, readonly Observation[], readonly MedicationRequest[]]>([
    ['metformin-egfr', [egfr(22)], [drug('Metformin 500 mg')]],
    ['potassium-raas', [result('2823-3', 6)], [drug('Ramipril 5 mg')]],
    [
      'potassium-raas',
      [result('2823-3', 6.4)],
      [drug('', { medicationCodeableConcept: { coding: [{ system: 'http://www.whocc.no/atc', code: 'C09AA05' }] } })],
    ],
    ['warfarin-inr', [result('6301-6', 5.1)], [drug('Warfarin')]],
    ...['mL/min/{1.73_m2}', 'ml/min/1.73m2', 'mL/min/1,73 m²', 'mL/min', 'mL/min per 1.73 m^2'].map(
      (unit): [string, Observation[], MedicationRequest[]] => [
        'metformin-egfr',
        [egfr(22, { unit })],
        [drug('Metformin')],
      ],
    ),
    ['metformin-egfr', [egfr(22, {})], [drug('Metformin')]],
    ['metformin-egfr', [egfr(30, { comparator: '<' })], [drug('Metformin')]],
    ['metformin-egfr', [egfr(29, { comparator: '<=' })], [drug('Metformin')]],
    ['potassium-raas', [measured('2823-3', { value: 6, comparator: '>', code: 'mmol/L' })], [drug('Ramipril')]],
    ['potassium-raas', [measured('2823-3', { value: 6, comparator: '>=', code: 'mmol/L' })], [drug('Ramipril')]],
    ['warfarin-inr', [measured('6301-6', { value: 5, comparator: '>' })], [drug('Warfarin')]],
  ])('%s fires', (rule, results, drugs) => {
    expect(fired(results, drugs)).toEqual([rule])
  })

  it.each<[string, readonly Observation[], readonly MedicationRequest[]]>([
    ['a value that is not dangerous', [result('2823-3', 5.9)], [drug('Ramipril')]],
    ['another drug', [result('2823-3', 6.5)], [drug('Paracetamol')]],
    ['a drug that was stopped', [result('2823-3', 6.5)], [drug('Ramipril', { status: 'stopped' })]],
    ['a result that is not final', [result('2823-3', 6.5, { status: 'preliminary' })], [drug('Ramipril')]],
    ['another unit', [result('2823-3', 6.5, { valueQuantity: { value: 6.5, unit: 'mg/dL' } })], [drug('Ramipril')]],
    [
      'a newer result that is good',
      [result('2823-3', 6.5), result('2823-3', 4.5, { effectiveDateTime: '2026-03-04T06:00:00Z' })],
      [drug('Ramipril')],
    ],
    ['a filtration in another unit', [egfr(1.2, { code: 'mL/s/{1.73_m2}' })], [drug('Metformin')]],
    ['a bound that a good filtration is within, too', [egfr(60, { comparator: '<' })], [drug('Metformin')]],
    ['a filtration that may be the limit', [egfr(30, { comparator: '<=' })], [drug('Metformin')]],
    ['a filtration of more than a low one', [egfr(15, { comparator: '>' })], [drug('Metformin')]],
    [
      'a potassium below the limit',
      [measured('2823-3', { value: 6, comparator: '<', code: 'mmol/L' })],
      [drug('Ramipril')],
    ],
    ['an INR that may be the limit', [measured('6301-6', { value: 5, comparator: '>=' })], [drug('Warfarin')]],
    ['an INR below a high one', [measured('6301-6', { value: 8, comparator: '<' })], [drug('Warfarin')]],
    ['no result', [], [drug('Metformin')]],
  ])('nothing fires for %s', (_, results, drugs) => {
    expect(fired(results, drugs)).toEqual([])
  })

  it('says what to do in the shape of a CDS Hooks card', () => {
    const [one] = firedRules([egfr(22)], [drug('Metformin')])
    expect(one?.card).toMatchObject({ indicator: 'critical', source: { label: expect.stringContaining('FDA') } })
    expect(one?.card.summary.length).toBeLessThan(140)
  })
})
