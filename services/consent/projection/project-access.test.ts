import { beforeAll, describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import { createValidate, type Validate } from '../../../packages/fhir/validate/validator.ts'
import { projectAccess, type ToldAccess } from './project-access.ts'

let validate: Validate
beforeAll(async () => {
  validate = createValidate(await loadDefinitions())
})

const changed: ToldAccess = {
  ...{ id: '0197f1c4-0000-7000-8000-000000000001', at: '2026-03-04T05:06:07.890Z', outcome: 'CHANGED' },
  ...{ subject: 'dr-amara', clientId: 'demo-app', peer: '192.0.2.7', requestId: 'r-1', patientId: 'Patient/p1' },
  ...{ actorReferences: [], resourceType: null, operation: null, purposeOfUse: null, asOf: null, recordId: 7 },
}

describe('an access in FHIR', () => {
  it('says who did what with which record of whom', () => {
    expect(projectAccess(changed)).toMatchObject({
      meta: { tag: [{ system: 'urn:corridor:audit-id', code: changed.id }] },
      ...{ type: { code: 'rest' }, recorded: changed.at, outcome: '0' },
      agent: [
        { who: { identifier: { system: 'urn:corridor:subject', value: 'dr-amara' } }, requestor: true },
        { who: { identifier: { system: 'urn:corridor:client-id', value: 'demo-app' } }, requestor: false },
      ],
      entity: [
        { what: { reference: 'Patient/p1' } },
        { what: { type: 'Consent', identifier: { system: 'urn:corridor:consent:record', value: '7' } } },
        { what: { identifier: { value: 'r-1' } } },
      ],
    })
  })

  it.each([
    ['CREATED', 'C', 'create'],
    ['CHANGED', 'U', 'change'],
    ['REVOKED', 'U', 'revoke'],
    ['SHOWN', 'R', 'read'],
  ] as const)('that is %s is the action %s', (outcome, action, code) => {
    expect(projectAccess({ ...changed, outcome })).toMatchObject({ action, subtype: [{ code }] })
  })

  it.each<[string, Partial<ToldAccess>]>([
    ['what it is', {}],
    ['a list of a patient', { outcome: 'SHOWN', recordId: null }],
    ['a list of an organisation', { patientId: null, recordId: null, actorReferences: ['Organization/x'] }],
    ['a policy', { patientId: null, requestId: null }],
  ])('is valid R4 with %s', (_what, more) => {
    expect(validate(projectAccess({ ...changed, ...more }))).toEqual([])
  })
})
