import { expect, it } from 'vitest'
import { recordWith } from '../testing/record-fixture.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { whatChanges } from './what-changes.ts'

const today = '2026-03-04'
const central = 'Organization/central'
const lakeside = 'Organization/lakeside'
const patientId = 'Patient/p1'

const policy = (actorReference: string, id: number) =>
  recordWith({ id, actorReference, patientId: null, isDomainPolicy: true, purposes: ['TREAT'] })

const adding = (changed: ConsentRecord, before: readonly ConsentRecord[] = []) =>
  whatChanges({ patientId, before, after: [...before, changed], changed: [changed] }, today, 'deny')

it('tells a permission for one facility in one line', () => {
  const changed = recordWith({
    actorReference: central,
    scopeValues: ['patient/Observation.rs', 'patient/Condition.rs'],
    resourceClasses: ['Observation', 'Condition'],
    purposes: ['TREAT', 'HRESCH'],
  })
  expect(adding(changed)).toEqual([
    {
      actors: [central],
      permitted: true,
      types: ['Observation', 'Condition'],
      letters: 'rs',
      purposes: ['TREAT', 'HRESCH'],
    },
  ])
})

it('names those who lose something by a refusal for everybody, and nobody who had nothing', () => {
  const refusal = recordWith({ id: 9, provisionType: 'deny', resourceClasses: ['Immunization'] })
  const before = [policy(central, 1), policy(lakeside, 2)]
  expect(adding(refusal, before)).toEqual([
    { actors: [central, lakeside], permitted: false, types: ['Immunization'], letters: 'rscud', purposes: ['TREAT'] },
  ])
})

it('tells a permission for everybody of those whom no record names, too', () => {
  const changed = recordWith({ id: 9, resourceClasses: ['Observation'], purposes: ['TREAT'] })
  expect(adding(changed, [policy(central, 1)]).map(({ actors }) => actors)).toEqual([[null]])
})

it.each([
  ['under a refusal', recordWith({ id: 9, actorReference: central }), [recordWith({ provisionType: 'deny' })]],
  ['beside a permission that says the same', recordWith({ id: 9 }), [recordWith()]],
  ['that is over', recordWith({ id: 9, periodEnd: '2026-03-03' }), []],
])('finds no change by a permission %s', (_which, changed, before) => {
  expect(adding(changed, before)).toEqual([])
})

it('finds no answer turned round by nothing', () => {
  const before = [recordWith(), policy(central, 2)]
  expect(whatChanges({ patientId, before, after: before, changed: [recordWith()] }, today, 'deny')).toEqual([])
})

it('tells both what a change gives and what it takes', () => {
  const was = recordWith({ id: 9, actorReference: central, resourceClasses: ['Observation'], purposes: ['TREAT'] })
  const is = { ...was, actorReference: lakeside, purposes: ['HRESCH'] }
  const changes = whatChanges({ patientId, before: [was], after: [is], changed: [was, is] }, today, 'deny')
  expect(changes.map(({ actors, permitted, purposes }) => ({ actors, permitted, purposes }))).toEqual([
    { actors: [central], permitted: false, purposes: ['TREAT'] },
    { actors: [lakeside], permitted: true, purposes: ['HRESCH'] },
  ])
})
