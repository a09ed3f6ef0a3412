import { describe, expect, it } from 'vitest'
import { recordWith } from '../testing/record-fixture.ts'
import { changedTerms } from './changed-terms.ts'
import type { ConsentRecord } from './consent-record.ts'
import { newTerms } from './new-terms.ts'

const types = new Set(['Observation', 'Condition', 'Immunization'])
const classesAfter = (record: Partial<ConsentRecord>, scopeValues: string[], resourceClasses?: string[]) =>
  changedTerms(
    recordWith(record),
    { scopeValues, ...(resourceClasses === undefined ? {} : { resourceClasses }) },
    types,
  )?.resourceClasses

const chosen = { resourceClasses: ['Observation'], scopeValues: ['patient/Observation.rs'] }
const ofObservations = { ...chosen, classesFollow: true }

describe('when the scopes of a record change', () => {
  it.each<[string, Partial<ConsentRecord>, string[], string[]]>([
    [
      'other types are named',
      ofObservations,
      ['patient/Condition.rs', 'patient/Immunization.r'],
      ['Condition', 'Immunization'],
    ],
    ['the same types are named', ofObservations, ['patient/Observation.cruds'], ['Observation']],
    ['types are named where none were', { classesFollow: true }, ['patient/Observation.rs'], ['Observation']],
    ['a refusal comes to be about all types', { ...ofObservations, provisionType: 'deny' }, ['patient/*.cruds'], []],
  ])('classes that nobody chose follow: %s', (_what, record, scopeValues, classes) => {
    expect(classesAfter(record, scopeValues)).toEqual(classes)
  })

  it.each<[string, Partial<ConsentRecord>, string[], string[]]>([
    ['a permit is not opened to all types unasked', ofObservations, ['patient/*.rs'], ['Observation']],
    ['nor by scopes that name no type', ofObservations, [], ['Observation']],
    ['they were chosen, if only to be those of the scopes', chosen, ['patient/Condition.rs'], ['Observation']],
  ])('classes stay as they are where %s', (_what, record, scopeValues, classes) => {
    expect(classesAfter(record, scopeValues)).toEqual(classes)
  })

  it('classes that are said with them are taken as they are', () => {
    expect(classesAfter(ofObservations, ['patient/*.rs'], [])).toEqual([])
    expect(classesAfter(ofObservations, ['patient/*.rs'], ['Condition'])).toEqual(['Condition'])
  })

  it('classes that were given with a change are chosen from then on', () => {
    const once = changedTerms(recordWith(ofObservations), { resourceClasses: ['Condition'] }, types)
    expect(classesAfter({ ...once }, ['patient/Immunization.rs'])).toEqual(['Condition'])
  })

  it('and nothing else does: only what is given is applied', () => {
    const record = recordWith({ ...ofObservations, note: 'as told', periodEnd: '2026-12-31' })
    expect(changedTerms(record, { note: 'anew' }, types)).toMatchObject({
      ...ofObservations,
      note: 'anew',
      periodEnd: '2026-12-31',
    })
  })
})

it.each([
  [['TREATMENT', 'TREAT', 'treat'], ['TREAT']],
  [
    ['RESEARCH', 'BTG', 'HRESCH'],
    ['HRESCH', 'BTG'],
  ],
])('purposes that are given as %j, by a change or at first, are %j', (purposes, codes) => {
  expect(changedTerms(recordWith(), { purposes }, types)?.purposes).toEqual(codes)
  const made = { patientId: 'p1', provisionType: 'permit', purposes } as const
  expect(newTerms(made, undefined, types).purposes).toEqual(codes)
})
