import { beforeAll, describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import type { Consent } from '../../../packages/fhir/r4.ts'
import { createValidate, type Validate } from '../../../packages/fhir/validate/validator.ts'
import { demoConsents } from '../demo-consents.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { recordWith } from '../testing/record-fixture.ts'
import { projectConsent } from './project-consent.ts'

let validate: Validate
let project: (record: ConsentRecord) => Consent
let typesOfR4: number
beforeAll(async () => {
  const definitions = await loadDefinitions()
  validate = createValidate(definitions)
  typesOfR4 = definitions.resourceTypes.size
  project = (record) => projectConsent(record, definitions.resourceTypes)
})

describe('a record as a FHIR Consent', () => {
  it('says all that R4 has words for', () => {
    const consent = project(
      recordWith({
        id: 42,
        actorReference: 'Organization/lakeside-clinic',
        resourceClasses: ['Observation', 'Condition'],
        scopeValues: ['patient/Observation.crs', 'patient/Condition.crs'],
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
      extension: [{ valueString: 'patient/Observation.crs' }, { valueString: 'patient/Condition.crs' }],
    })
    expect(JSON.stringify(consent)).not.toContain('confidence')
  })

  it('says that a purpose is HL7’s only where it is', () => {
    const { provision } = project(recordWith({ purposes: ['CLINTRCH', 'X-OWN'] }))
    const system = 'http://terminology.hl7.org/CodeSystem/v3-ActReason'
    expect(provision?.purpose).toEqual([{ system, code: 'CLINTRCH' }, { code: 'X-OWN' }])
  })

  it('has a rule for each set of operations, complete in itself, and says nothing above them', () => {
    const { provision } = project(
      recordWith({
        actorReference: 'Organization/lakeside-clinic',
        resourceClasses: ['Observation', 'Condition', 'Immunization'],
        scopeValues: ['patient/Observation.read', 'patient/Immunization.rs', 'patient/Condition.write'],
        periodEnd: '2026-12-31',
        purposes: ['TREAT'],
      }),
    )
    const common = {
      type: 'permit',
      period: { end: '2026-12-31' },
      actor: [expect.objectContaining({ reference: { reference: 'Organization/lakeside-clinic' } })],
      purpose: [expect.objectContaining({ code: 'TREAT' })],
    }
    expect(Object.keys(provision ?? {})).toEqual(['provision'])
    expect(provision?.provision).toEqual([
      { ...common, action: actionsOf('access'), class: classesOf('Observation', 'Immunization') },
      { ...common, action: actionsOf('collect', 'correct'), class: classesOf('Condition') },
    ])
  })

  it('names all other types where the scopes say something else of some', () => {
    const { provision } = project(recordWith({ scopeValues: ['patient/Observation.cruds', 'patient/*.rs'] }))
    const [own, rest] = provision?.provision ?? []
    expect([own?.action, own?.class]).toEqual([undefined, classesOf('Observation')])
    expect([rest?.action, rest?.class?.length]).toEqual([actionsOf('access'), typesOfR4 - 1])
    expect(rest?.class).not.toContainEqual(classesOf('Observation')[0])
  })

  it('leaves out of a permit what a granular scope seems to open, and of a deny nothing', () => {
    const scopeValues = ['patient/Observation.rs?category=laboratory', 'patient/Condition.rs']
    const resourceClasses = ['Observation', 'Condition']
    expect(project(recordWith({ scopeValues, resourceClasses })).provision?.class).toEqual(classesOf('Condition'))
    const denied = project(recordWith({ scopeValues, resourceClasses, provisionType: 'deny' })).provision
    expect(denied?.class).toEqual(classesOf('Observation', 'Condition'))
  })

  it.each([
    ['only launch scopes', recordWith({ scopeValues: ['launch', 'openid'] })],
    ['only launch scopes, to refuse', recordWith({ scopeValues: ['launch', 'openid'], provisionType: 'deny' })],
    ['only a granular scope', recordWith({ scopeValues: ['patient/Observation.rs?category=laboratory'] })],
    ['a clinician’s word about no patient', recordWith({ patientId: null, scopeContext: 'user' })],
  ])('cannot be taken for a permission or a refusal where the record decides nothing: %s', (_what, record) => {
    const consent = project({ ...record, regulatoryBasis: 'Act 5' })
    expect(consent).toMatchObject({ status: 'inactive', policyRule: { text: expect.stringContaining('Act 5') } })
    expect(consent.policyRule).not.toHaveProperty('coding')
    expect(consent).not.toHaveProperty('provision')
    expect(wrongIn(record)).toEqual([])
  })

  it('of an administrator about no patient is a policy', () => {
    expect(project(recordWith({ patientId: null, scopeContext: 'system', isDomainPolicy: true }))).toMatchObject({
      status: 'active',
      provision: { type: 'permit' },
    })
  })

  it.each([
    ['a plain permit', recordWith()],
    ['an opt-out', recordWith({ provisionType: 'deny' })],
    ['a revoked one', recordWith({ status: 'inactive', revokedAt: new Date('2026-02-01') })],
    ['one without patient', recordWith({ patientId: null, scopeContext: 'user' })],
    ['a client id that is no FHIR id', recordWith({ actorReference: 'Device/svc_app@x' })],
    ['one side of a period', recordWith({ periodEnd: '2026-12-31' })],
    ['different operations for different types', recordWith({ scopeValues: ['patient/*.rs', 'patient/Task.cruds'] })],
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

  const wrongIn = (record: ConsentRecord) => validate(project(record)).filter(({ severity }) => severity !== 'warning')
})

const actionsOf = (...codes: string[]) =>
  codes.map((code) => ({ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/consentaction', code }] }))
const classesOf = (...codes: string[]) => codes.map((code) => ({ system: 'http://hl7.org/fhir/resource-types', code }))
