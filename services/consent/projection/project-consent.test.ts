import { beforeAll, describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import { createValidate, type Validate } from '../../../packages/fhir/validate/validator.ts'
import { demoConsents } from '../demo-consents.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { recordWith } from '../testing/record-fixture.ts'
import { projectConsent } from './project-consent.ts'

let validate: Validate
beforeAll(async () => {
  validate = createValidate(await loadDefinitions())
})

describe('a record as a FHIR Consent', () => {
  it('says all that R4 has words for', () => {
    const consent = projectConsent(
      recordWith({
        id: 42,
        actorReference: 'Organization/lakeside-clinic',
        resourceClasses: ['Observation', 'Condition'],
        scopeValues: ['patient/Observation.rs', 'patient/Condition.c'],
        periodStart: '2026-01-01',
        periodEnd: '2026-12-31',
        purposes: ['TREAT'],
        regulatoryBasis: 'Act 5',
        organisationId: 'Organization/central-hospital',
        note: 'told in confidence',
      }),
    )
    expect(consent).toMatchObject({
      resourceType: 'Consent',
      id: 'consent-42',
      identifier: [{ value: '42' }],
      status: 'active',
      patient: { reference: 'Patient/p1' },
      dateTime: '2026-01-01T00:00:00.000Z',
      organization: [{ reference: 'Organization/central-hospital' }],
      policyRule: { coding: [{ code: 'OPTIN' }], text: 'Act 5' },
      provision: {
        type: 'permit',
        period: { start: '2026-01-01', end: '2026-12-31' },
        actor: [{ reference: { reference: 'Organization/lakeside-clinic' } }],
        action: [{ coding: [{ code: 'collect' }] }, { coding: [{ code: 'access' }] }],
        purpose: [{ code: 'TREAT' }],
        class: [{ code: 'Observation' }, { code: 'Condition' }],
      },
      extension: [{ valueString: 'patient/Observation.rs' }, { valueString: 'patient/Condition.c' }],
    })
    expect(JSON.stringify(consent)).not.toContain('confidence')
  })

  it.each([
    ['a plain permit', recordWith()],
    ['an opt-out', recordWith({ provisionType: 'deny' })],
    ['a revoked one', recordWith({ status: 'inactive', revokedAt: new Date('2026-02-01') })],
    ['one without patient', recordWith({ patientId: null, scopeContext: 'user' })],
    ['a client id that is no FHIR id', recordWith({ actorReference: 'Device/svc_app@x' })],
    ['one side of a period', recordWith({ periodEnd: '2026-12-31' })],
    ['every letter', recordWith({ scopeValues: ['patient/*.cruds'] })],
    ['no letter', recordWith({ scopeValues: ['launch'] })],
    ['a legal basis that says nothing', recordWith({ regulatoryBasis: '' })],
    ['a legal basis of spaces', recordWith({ regulatoryBasis: ' \n ' })],
    ['a legal basis with spaces around', recordWith({ regulatoryBasis: ' Act 5\n' })],
    ['a legal basis with a strange sign', recordWith({ regulatoryBasis: 'a\u0001b\u202e\ufffd' })],
    ['every purpose that can be asked for', recordWith({ purposes: ['TREAT', 'X_1.2:3-4'] })],
  ])('is valid R4: %s', (_what, record) => {
    expect(wrongIn(record)).toEqual([])
  })

  it.each(demoConsents())('is valid R4: $fhirConsentId', (consent) => {
    expect(wrongIn({ ...recordWith(), ...consent })).toEqual([])
  })

  const wrongIn = (record: ConsentRecord) =>
    validate(projectConsent(record)).filter(({ severity }) => severity !== 'warning')
})
