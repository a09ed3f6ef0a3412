import { describe, expect, it } from 'vitest'
import type { Observation } from '../../../packages/fhir/r4.ts'
import { observation } from '../outbound/testing/clinical-resources.ts'
import { criticalFacts } from './critical-facts.ts'

const flagged = (...codes: string[]) => [{ coding: codes.map((code) => ({ code })) }]
const grown = (text: string | undefined, ...codes: string[]) => ({
  coding: codes.map((code) => ({ code })),
  ...(text === undefined ? {} : { text }),
})
const part = (value: number, flag: string) => ({
  ...{ code: { text: 'Systolic' }, valueQuantity: { value } },
  interpretation: flagged(flag),
})

const facts = (given: Partial<Omit<Observation, 'id'>>) => criticalFacts(observation('HH', given))

describe('the facts of a critical result', () => {
  it.each<[string, Partial<Omit<Observation, 'id'>>, Partial<Omit<Observation, 'id'>>]>([
    ['a note', {}, { note: [{ text: 'Called.' }] }],
    ['a code that was learned', {}, { code: { coding: [{ code: 'K' }] } }],
    ['another category', {}, { category: [{ text: 'Blood' }] }],
    ['a flag that is not critical', {}, { interpretation: flagged('A', 'HH') }],
    [
      'a code of its value that was learned',
      { valueCodeableConcept: grown('Anthrax', 'B1') },
      { valueCodeableConcept: grown('Anthrax', '1', 'B1') },
    ],
    ['its status before it was final', { status: 'unknown' }, {}],
    ['that it was preliminary', { status: 'preliminary' }, {}],
    ['it by another mark', { interpretation: flagged('*HH*') }, {}],
    ['the same flag twice', {}, { interpretation: [...flagged('HH'), ...flagged('HH')] }],
  ])('are the same whatever is said of %s', (_, before, after) => {
    expect(facts(after)).toBe(facts(before))
  })

  it.each<[string, Partial<Omit<Observation, 'id'>>, Partial<Omit<Observation, 'id'>>]>([
    ['its value', {}, { valueQuantity: { value: 6.6, unit: 'mmol/L' } }],
    ['its unit', {}, { valueQuantity: { value: 6.5, unit: 'mg/dL' } }],
    ['its words', { valueString: 'Anthrax' }, { valueString: 'Plague' }],
    ['its coded value', { valueCodeableConcept: grown('Anthrax') }, { valueCodeableConcept: grown('Plague') }],
    [
      'its value without words',
      { valueCodeableConcept: grown(undefined, 'B1') },
      { valueCodeableConcept: grown(undefined, 'B2') },
    ],
    ['how critical it is', {}, { interpretation: flagged('LL') }],
    ['whether it was corrected', {}, { status: 'corrected' }],
    ['whose it is', {}, { subject: { reference: 'Patient/other' } }],
    ['when it was taken', {}, { effectiveDateTime: '2026-03-04T06:00:00Z' }],
    ['a part of it', { component: [part(180, 'HH')] }, { component: [part(220, 'HH')] }],
    ['how critical a part is', { component: [part(180, 'H')] }, { component: [part(180, 'HH')] }],
  ])('are others by %s', (_, before, after) => {
    expect(facts(after)).not.toBe(facts(before))
  })
})
