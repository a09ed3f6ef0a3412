import { describe, expect, it } from 'vitest'
import type { MedicationRequest, Observation } from '../../../packages/fhir/r4.ts'
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

const fired = (results: readonly Observation[], drugs: readonly MedicationRequest[]) =>
  firedRules(results, drugs).map(({ rule }) => rule)

describe('decision support', () => {
  it.each<[string, readonly Observation[], readonly MedicationRequest[]]>([
    ['metformin-egfr', [result('33914-3', 22)], [drug('Metformin 500 mg')]],
    ['potassium-raas', [result('2823-3', 6)], [drug('Ramipril 5 mg')]],
    [
      'potassium-raas',
      [result('2823-3', 6.4)],
      [drug('', { medicationCodeableConcept: { coding: [{ system: 'http://www.whocc.no/atc', code: 'C09AA05' }] } })],
    ],
    ['warfarin-inr', [result('6301-6', 5.1)], [drug('Warfarin')]],
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
    ['no result', [], [drug('Metformin')]],
  ])('nothing fires for %s', (_, results, drugs) => {
    expect(fired(results, drugs)).toEqual([])
  })

  it('says what to do in the shape of a CDS Hooks card', () => {
    const [one] = firedRules([result('33914-3', 22)], [drug('Metformin')])
    expect(one?.card).toMatchObject({ indicator: 'critical', source: { label: expect.stringContaining('FDA') } })
    expect(one?.card.summary.length).toBeLessThan(140)
  })
})
