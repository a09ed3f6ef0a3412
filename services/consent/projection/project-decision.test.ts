import { beforeAll, describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import { createValidate, type Validate } from '../../../packages/fhir/validate/validator.ts'
import type { ToldEvent } from '../audit/told-events.ts'
import { projectDecision } from './project-decision.ts'

let validate: Validate
beforeAll(async () => {
  validate = createValidate(await loadDefinitions())
})

const permitted: ToldEvent = {
  id: '0197f1c4-0000-7000-8000-000000000001',
  at: '2026-03-04T05:06:07.890Z',
  outcome: 'PERMIT',
  subject: 'client:lakeside',
  clientId: 'lakeside',
  peer: '192.0.2.7',
  requestId: 'r-1',
  patientId: 'Patient/p1',
  actorReferences: ['Organization/lakeside', 'Device/lake_side'],
  resourceType: 'Observation',
  operation: 'READ',
  purposeOfUse: 'TREAT',
  asOf: null,
  recordId: 7,
}

const profileOf = (decision: ToldEvent) => projectDecision(decision).meta?.profile

describe('a decision in FHIR', () => {
  it('says who asked, for whom, about whom and what came of it', () => {
    const event = projectDecision(permitted)
    expect(event).toMatchObject({
      type: { code: '110113' },
      subtype: [{ code: 'AuthZ-Consent' }],
      action: 'E',
      recorded: permitted.at,
      outcome: '0',
      purposeOfEvent: [{ coding: [{ code: 'TREAT' }] }],
      agent: [
        { who: { identifier: { value: 'client:lakeside' } }, requestor: true },
        { who: { identifier: { value: 'lakeside' } }, network: { address: '192.0.2.7', type: '2' } },
        { who: { reference: 'Organization/lakeside' }, requestor: false },
        { who: { type: 'Device', identifier: { value: 'lake_side' } }, requestor: false },
        { who: { display: 'Corridor consent service' }, requestor: false },
      ],
      entity: [
        { what: { reference: 'Patient/p1' }, role: { code: '1' } },
        { what: { identifier: { system: 'urn:corridor:consent:record', value: '7' } } },
      ],
    })
    expect(event).not.toHaveProperty('outcomeDesc')
    expect(event.entity?.[0]?.detail?.map(({ type, valueString }) => [type, valueString])).toEqual([
      ['decision', permitted.id],
      ['resource type', 'Observation'],
      ['operation', 'READ'],
      ['request', 'r-1'],
    ])
  })

  it.each([
    ['DENY', 'A recorded consent denies it.'],
    ['NO_CONSENT', 'No recorded consent permits it.'],
  ] as const)('that is %s says so and is a failure', (outcome, outcomeDesc) => {
    expect(projectDecision({ ...permitted, outcome })).toMatchObject({ outcome: '8', outcomeDesc })
  })

  it('says that the purpose is HL7’s only where it is', () => {
    const purposeOf = (purposeOfUse: string) => projectDecision({ ...permitted, purposeOfUse }).purposeOfEvent
    const system = 'http://terminology.hl7.org/CodeSystem/v3-ActReason'
    expect(purposeOf('TREAT')).toEqual([{ coding: [{ system, code: 'TREAT' }] }])
    expect(purposeOf('X-OWN')).toEqual([{ coding: [{ code: 'X-OWN' }] }])
  })

  it.each<[string, Partial<ToldEvent>]>([
    ['what it is', {}],
    ['no record and no purpose', { recordId: null, purposeOfUse: null, requestId: null }],
    ['a purpose of the country', { purposeOfUse: 'X-LOCAL:Y.1' }],
    ['the day it was asked for', { asOf: '2025-12-31' }],
    ['an actor that is only a name', { actorReferences: ['some~client:id@x'] }],
    ['an actor of no type that can act', { actorReferences: ['Foo/1', 'Observation/2', 'Practitioner/3'] }],
    ['nobody whom it knows', { subject: null, clientId: null, actorReferences: [] }],
  ])('is valid R4 with %s', (_what, changed) => {
    expect(validate(projectDecision({ ...permitted, ...changed }))).toEqual([])
  })

  it.each<[string, Partial<ToldEvent>, boolean]>([
    ['a record that decided and one organisation', {}, true],
    ['a record that denied', { outcome: 'DENY' }, true],
    ['no record', { recordId: null, outcome: 'NO_CONSENT' }, false],
    ['no organisation', { actorReferences: ['Device/x'] }, false],
    ['two organisations', { actorReferences: ['Organization/x', 'Organization/y'] }, false],
    ['no client', { clientId: null }, false],
  ])('with %s keeps the pattern of IHE: %#', (_what, changed, keeps) => {
    expect(profileOf({ ...permitted, ...changed })).toEqual(
      keeps ? ['https://profiles.ihe.net/ITI/BALP/StructureDefinition/IHE.BasicAudit.AuthZconsent'] : undefined,
    )
  })
})
