import { describe, expect, it } from 'vitest'
import type { ConsentRecord } from '../record/consent-record.ts'
import { recordWith } from '../testing/record-fixture.ts'
import { formOf, isSayable, readChange } from './changed-form.ts'

const types = new Set(['Observation', 'Condition', 'Secret'])
const termsOf = (record: ConsentRecord, changes: object) => {
  const read = readChange(record, { ...formOf(record), ...changes }, types)
  return read.is === 'read' ? read.terms : read.fields
}
const some = recordWith({
  ...{ actorReference: 'Device/x', resourceClasses: ['Observation'], scopeValues: ['patient/Observation.rs'] },
  ...{ purposes: ['TREAT'], organisationId: 'Organization/central', note: 'She said so.' },
})

describe('a change of a record', () => {
  it('leaves as it was written what nobody touched', () => {
    expect(termsOf(recordWith(), { periodEnd: '2027-03-04' })).toMatchObject({
      ...{ scopeValues: [], resourceClasses: [], permittedOperations: 'cruds', periodEnd: '2027-03-04' },
    })
    expect(termsOf(some, {})).toMatchObject({ scopeValues: ['patient/Observation.rs'], actorReference: 'Device/x' })
  })

  it('chooses no kinds where nobody touched them: they go on with the scopes', () => {
    const following = { ...some, classesFollow: true }
    expect(termsOf(following, { periodEnd: '2027-03-04' })).toMatchObject({ classesFollow: true })
    expect(termsOf(following, { types: ['Observation', 'Condition'] })).toMatchObject({ classesFollow: false })
    expect(termsOf(some, { periodEnd: '2027-03-04' })).toMatchObject({ classesFollow: false })
  })

  it('says anew what was touched, and never whose it is', () => {
    expect(termsOf(some, { deed: 'cruds', purpose: 'any', note: '' })).toMatchObject({
      ...{ scopeValues: ['patient/Observation.cruds'], permittedOperations: 'cruds', purposes: [], note: null },
      ...{ patientId: 'Patient/p1', organisationId: 'Organization/central' },
    })
  })

  it('takes away an end that was there', () => {
    expect(termsOf({ ...some, periodEnd: '2027-03-04' }, { periodEnd: '' })).toMatchObject({ periodEnd: null })
  })

  it('points at the field that is wrong', () => {
    expect(termsOf(some, { types: [], extent: 'some' })).toMatchObject([{ path: 'types' }])
    expect(termsOf(some, { periodEnd: 'tomorrow' })).toMatchObject([{ path: 'periodEnd' }])
    expect(termsOf(recordWith({ patientId: null, scopeContext: 'system' }), { note: 'x'.repeat(2_049) })).toMatchObject(
      [{ path: 'note' }],
    )
  })
})

describe('a record that the form has no words for', () => {
  it.each<[string, Partial<ConsentRecord>]>([
    ['of everybody', { patientId: null, scopeContext: 'system' }],
    ['for two purposes', { purposes: ['TREAT', 'ETREAT'] }],
    ['with another deed for each kind', { scopeValues: ['patient/Observation.rs', 'patient/Condition.cruds'] }],
    ['with an unusual deed', { scopeValues: ['patient/*.r'] }],
    ['with a condition', { scopeValues: ['patient/Observation.rs?category=laboratory'] }],
  ])('%s keeps what it says, and can be given another period', (_which, given) => {
    const record = recordWith(given)
    expect(isSayable(record)).toBe(false)
    const { patientId, scopeValues, purposes } = record
    const terms = termsOf(record, { periodEnd: '2027-03-04', deed: 'cud', purpose: 'HRESCH' })
    expect(terms).toMatchObject({ patientId, scopeValues, purposes, periodEnd: '2027-03-04' })
    expect(termsOf(record, { periodStart: '2027-03-04', periodEnd: '2026-03-04' })).toMatchObject([
      { path: 'periodEnd' },
    ])
  })
})
