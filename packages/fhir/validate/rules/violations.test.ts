import { beforeAll, describe, expect, it } from 'vitest'
import { type Definitions, loadDefinitions } from '../../definitions.ts'
import { createValidate, type Validate } from '../validator.ts'
import { rulesOf } from './rules.ts'

const coded = (system: string, code: string) => ({
  coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code }],
})
const patient = { reference: 'Patient/1' }
const observation = { resourceType: 'Observation', status: 'final', code: { text: 'x' } }
const appointment = {
  resourceType: 'Appointment',
  status: 'proposed',
  participant: [{ actor: patient, status: 'accepted' }],
}
const condition = { resourceType: 'Condition', subject: patient }
const allergy = { resourceType: 'AllergyIntolerance', patient }
const composition = {
  resourceType: 'Composition',
  status: 'final',
  type: { text: 'x' },
  date: '2024',
  author: [{ reference: 'Practitioner/1' }],
  title: 'x',
}
const consent = { resourceType: 'Consent', status: 'active', scope: { text: 'x' }, category: [{ text: 'x' }] }
const bundle = { resourceType: 'Bundle', type: 'collection' }
const resource = { resourceType: 'Patient' }
const extended = (value: object) => ({ resourceType: 'Patient', extension: [{ url: 'urn:a', ...value }] })
const timed = (repeat: object) => extended({ valueTiming: { repeat } })
const ucum = 'http://unitsofmeasure.org'
const containing = (contained: object) => ({ ...observation, contained: [contained], subject: { reference: '#p' } })

/** For every rule one resource that breaks it and nothing else, and the same put right. */
const cases: readonly [string, object, object][] = [
  [
    'dom-2',
    containing({
      ...resource,
      id: 'p',
      contained: [{ ...resource, id: 'q', link: [{ other: { reference: '#' }, type: 'refer' }] }],
    }),
    containing({ ...resource, id: 'p' }),
  ],
  [
    'dom-contained-ids',
    { ...observation, contained: ['p', 'p'].map((id) => ({ ...resource, id })), subject: { reference: '#p' } },
    containing({ ...resource, id: 'p' }),
  ],
  ['dom-3', { ...observation, contained: [{ ...resource, id: 'p' }] }, containing({ ...resource, id: 'p' })],
  [
    'dom-4',
    containing({ ...resource, id: 'p', meta: { versionId: '1' } }),
    containing({ ...resource, id: 'p', meta: { source: 'urn:x' } }),
  ],
  [
    'dom-5',
    containing({ ...resource, id: 'p', meta: { security: [{ code: 'R' }] } }),
    containing({ ...resource, id: 'p' }),
  ],
  ['ext-1', extended({}), extended({ valueCode: 'x' })],
  ['ref-1', { ...observation, subject: { reference: '#p' } }, containing({ ...resource, id: 'p' })],
  [
    'per-1',
    extended({ valuePeriod: { start: '2024-05-02', end: '2024-05-01' } }),
    extended({ valuePeriod: { start: '2024-05-01', end: '2024-05-01' } }),
  ],
  [
    'per-1',
    extended({ valuePeriod: { start: '2025', end: '2024-05-01T00:00:00Z' } }),
    extended({ valuePeriod: { start: '2024-05-01T10:00:00+03:00', end: '2024' } }),
  ],
  [
    'per-1',
    extended({ valuePeriod: { start: '2024-05-02T00:00:00+03:00', end: '2024-05-01' } }),
    extended({ valuePeriod: { start: '2024-05-01T22:00:00-05:00', end: '2024-05-01' } }),
  ],
  [
    'qty-3',
    extended({ valueQuantity: { value: 1, code: 'mg' } }),
    extended({ valueQuantity: { value: 1, unit: 'mg' } }),
  ],
  [
    'age-1',
    extended({ valueAge: { value: 0, code: 'a', system: ucum } }),
    extended({ valueAge: { value: 3, code: 'a', system: ucum } }),
  ],
  [
    'drt-1',
    extended({ valueDuration: { code: 'h', system: ucum } }),
    extended({ valueDuration: { value: 1, code: 'h', system: ucum } }),
  ],
  [
    'dis-1',
    extended({ valueDistance: { value: 1 } }),
    extended({ valueDistance: { value: 1, code: 'm', system: ucum } }),
  ],
  [
    'cnt-3',
    extended({ valueCount: { value: 1.5, code: '1', system: ucum } }),
    extended({ valueCount: { value: 2, code: '1', system: ucum } }),
  ],
  [
    'rng-2',
    extended({ valueRange: { low: { value: 2 }, high: { value: 1 } } }),
    extended({ valueRange: { low: { value: 2, unit: 'g' }, high: { value: 1, unit: 'kg' } } }),
  ],
  [
    'rat-1',
    extended({ valueRatio: { numerator: { value: 1 } } }),
    extended({ valueRatio: { numerator: { value: 1 }, denominator: { value: 2 } } }),
  ],
  [
    'att-1',
    extended({ valueAttachment: { data: 'QUJD' } }),
    extended({ valueAttachment: { data: 'QUJD', contentType: 'text/plain' } }),
  ],
  [
    'cpt-2',
    extended({ valueContactPoint: { value: '1' } }),
    extended({ valueContactPoint: { value: '1', system: 'phone' } }),
  ],
  [
    'exp-1',
    extended({ valueExpression: { language: 'text/fhirpath' } }),
    extended({ valueExpression: { language: 'text/fhirpath', expression: 'id' } }),
  ],
  ['tim-1', timed({ duration: 1 }), timed({ duration: 1, durationUnit: 'h' })],
  ['tim-2', timed({ period: 1 }), timed({ period: 1, periodUnit: 'h' })],
  ['tim-4', timed({ duration: -1, durationUnit: 'h' }), timed({ duration: 0, durationUnit: 'h' })],
  ['tim-5', timed({ period: -1, periodUnit: 'h' }), timed({ period: 0, periodUnit: 'h' })],
  ['tim-6', timed({ periodMax: 1 }), timed({ period: 1, periodMax: 2, periodUnit: 'd' })],
  ['tim-7', timed({ durationMax: 1 }), timed({ duration: 1, durationMax: 2, durationUnit: 'd' })],
  ['tim-8', timed({ countMax: 1 }), timed({ count: 1, countMax: 2 })],
  ['tim-9', timed({ offset: 1, when: ['C'] }), timed({ offset: 1, when: ['AC'] })],
  ['tim-10', timed({ timeOfDay: ['10:00:00'], when: ['C'] }), timed({ timeOfDay: ['10:00:00'] })],
  ['pat-1', { ...resource, contact: [{ gender: 'male' }] }, { ...resource, contact: [{ name: { text: 'x' } }] }],
  ['org-1', { resourceType: 'Organization', active: true }, { resourceType: 'Organization', name: 'x' }],
  [
    'org-2',
    { resourceType: 'Organization', name: 'x', address: [{ use: 'home', text: 'x' }] },
    { resourceType: 'Organization', name: 'x', address: [{ use: 'work', text: 'x' }] },
  ],
  [
    'org-3',
    { resourceType: 'Organization', name: 'x', telecom: [{ use: 'home', system: 'phone', value: '1' }] },
    { resourceType: 'Organization', name: 'x', telecom: [{ system: 'phone', value: '1' }] },
  ],
  ['app-1', { ...appointment, participant: [{ status: 'accepted' }] }, appointment],
  [
    'app-2',
    { ...appointment, start: '2024-05-01T10:00:00Z' },
    { ...appointment, start: '2024-05-01T10:00:00Z', end: '2024-05-01T11:00:00Z' },
  ],
  ['app-3', { ...appointment, status: 'booked' }, { ...appointment, status: 'waitlist' }],
  [
    'app-4',
    { ...appointment, cancelationReason: { text: 'x' } },
    {
      ...appointment,
      status: 'noshow',
      start: '2024-05-01T10:00:00Z',
      end: '2024-05-01T11:00:00Z',
      cancelationReason: { text: 'x' },
    },
  ],
  ['ppc-1', consent, { ...consent, policyRule: { text: 'x' } }],
  [
    'inv-1',
    { resourceType: 'Task', status: 'draft', intent: 'order', authoredOn: '2024-05-02', lastModified: '2024-05-01' },
    { resourceType: 'Task', status: 'draft', intent: 'order', authoredOn: '2024-05-02', lastModified: '2024-05' },
  ],
  [
    'inv-1',
    { resourceType: 'Parameters', parameter: [{ name: 'a', valueCode: 'x', resource }] },
    { resourceType: 'Parameters', parameter: [{ name: 'a', resource }] },
  ],
  ['sev-1', auditOf({ name: 'x', query: 'QUJD' }), auditOf({ name: 'x' })],
  [
    'obs-3',
    { ...observation, referenceRange: [{ age: { low: { value: 1 } } }] },
    { ...observation, referenceRange: [{ text: 'x' }] },
  ],
  [
    'obs-6',
    { ...observation, valueString: 'x', dataAbsentReason: { text: 'x' } },
    { ...observation, dataAbsentReason: { text: 'x' } },
  ],
  [
    'obs-7',
    { ...observation, code: coded('a', 'b'), valueString: 'x', component: [{ code: coded('a', 'b') }] },
    { ...observation, code: coded('a', 'b'), valueString: 'x', component: [{ code: coded('a', 'c') }] },
  ],
  [
    'prr-1',
    {
      resourceType: 'ServiceRequest',
      status: 'active',
      intent: 'order',
      subject: patient,
      orderDetail: [{ text: 'x' }],
    },
    {
      resourceType: 'ServiceRequest',
      status: 'active',
      intent: 'order',
      subject: patient,
      code: { text: 'x' },
      orderDetail: [{ text: 'x' }],
    },
  ],
  ['ait-1', allergy, { ...allergy, clinicalStatus: coded('allergyintolerance-clinical', 'active') }],
  [
    'ait-2',
    {
      ...allergy,
      clinicalStatus: coded('allergyintolerance-clinical', 'active'),
      verificationStatus: coded('allergyintolerance-verification', 'entered-in-error'),
    },
    { ...allergy, verificationStatus: coded('allergyintolerance-verification', 'entered-in-error') },
  ],
  ['con-1', { ...condition, stage: [{ type: { text: 'x' } }] }, { ...condition, stage: [{ summary: { text: 'x' } }] }],
  [
    'con-2',
    { ...condition, evidence: [{ extension: [{ url: 'urn:a', valueCode: 'x' }] }] },
    { ...condition, evidence: [{ code: [{ text: 'x' }] }] },
  ],
  [
    'con-4',
    { ...condition, abatementDateTime: '2024', clinicalStatus: coded('condition-clinical', 'active') },
    { ...condition, abatementDateTime: '2024', clinicalStatus: coded('condition-clinical', 'resolved') },
  ],
  [
    'con-5',
    {
      ...condition,
      clinicalStatus: coded('condition-clinical', 'active'),
      verificationStatus: coded('condition-ver-status', 'entered-in-error'),
    },
    { ...condition, verificationStatus: coded('condition-ver-status', 'entered-in-error') },
  ],
  ['imm-1', immunizationWith({ publicationDate: '2024' }), immunizationWith({ documentType: 'x' })],
  ['imr-1', recommendationOf({}), recommendationOf({ targetDisease: { text: 'x' } })],
  ['cmp-1', { ...composition, section: [{ title: 'x' }] }, { ...composition, section: [{ entry: [patient] }] }],
  [
    'cmp-2',
    { ...composition, section: [{ entry: [patient], emptyReason: { text: 'x' } }] },
    {
      ...composition,
      section: [
        {
          text: { status: 'empty', div: '<div xmlns="http://www.w3.org/1999/xhtml">x</div>' },
          emptyReason: { text: 'x' },
        },
      ],
    },
  ],
  ['bdl-1', { ...bundle, total: 1 }, { ...bundle, type: 'searchset', total: 1 }],
  [
    'bdl-2',
    { ...bundle, entry: [{ resource, search: { mode: 'match' } }] },
    { ...bundle, type: 'searchset', entry: [{ resource, search: { mode: 'match' } }] },
  ],
  [
    'bdl-3',
    { ...bundle, type: 'transaction', entry: [{ resource }] },
    { ...bundle, type: 'transaction', entry: [{ resource, request: { method: 'POST', url: 'Patient' } }] },
  ],
  [
    'bdl-4',
    { ...bundle, type: 'batch-response', entry: [{ resource }] },
    { ...bundle, type: 'batch-response', entry: [{ response: { status: '200' } }] },
  ],
  ['bdl-5', { ...bundle, entry: [{ fullUrl: 'urn:x' }] }, { ...bundle, entry: [{ fullUrl: 'urn:x', resource }] }],
  [
    'bdl-7',
    {
      ...bundle,
      entry: [
        { fullUrl: 'urn:x', resource },
        { fullUrl: 'urn:x', resource },
      ],
    },
    {
      ...bundle,
      entry: [
        { fullUrl: 'urn:x', resource },
        { fullUrl: 'urn:y', resource },
      ],
    },
  ],
  [
    'bdl-8',
    { ...bundle, entry: [{ fullUrl: 'http://x/Patient/1/_history/2', resource }] },
    { ...bundle, entry: [{ fullUrl: 'http://x/Patient/1', resource }] },
  ],
  ['bdl-9', documentWith({ identifier: { value: 'x' } }), documentWith({})],
  ['bdl-10', documentWith({ timestamp: undefined }), documentWith({})],
  ['bdl-11', documentWith({ entry: [{ resource }] }), documentWith({})],
  [
    'bdl-12',
    { ...bundle, type: 'message', entry: [{ resource }] },
    {
      ...bundle,
      type: 'message',
      entry: [{ resource: { resourceType: 'MessageHeader', eventUri: 'urn:x', source: { endpoint: 'urn:y' } } }],
    },
  ],
]

describe('a rule', () => {
  let definitions: Definitions
  let validate: Validate
  beforeAll(async () => {
    definitions = await loadDefinitions()
    validate = createValidate(definitions)
  })

  it.each(cases)('%s refuses what breaks it and accepts it put right', (rule, wrong, right) => {
    expect(validate(withoutUndefined(wrong))).toEqual([expect.objectContaining({ code: 'invariant', rule })])
    expect(validate(right)).toEqual([])
  })

  it('is never without a case here', () => {
    const types = [
      'Extension',
      'Reference',
      'Period',
      'Quantity',
      'Age',
      'Duration',
      'Distance',
      'Count',
      'Range',
      'Ratio',
    ]
    types.push(
      'Attachment',
      'ContactPoint',
      'Expression',
      'Timing.repeat',
      'Patient.contact',
      'Appointment.participant',
    )
    types.push('AuditEvent.entity', 'Parameters.parameter', 'Observation.referenceRange', 'Condition.stage')
    types.push('Condition.evidence', 'Immunization.education', 'ImmunizationRecommendation.recommendation')
    types.push('Composition.section', 'Bundle.entry', ...definitions.resourceTypes)
    const known = new Set(types.flatMap((type) => rulesOf(type, definitions).map(({ id }) => id)))
    expect([...known].sort()).toEqual([...new Set(cases.map(([rule]) => rule))].sort())
  })
})

/** JSON has no undefined. */
const withoutUndefined = (value: object) => JSON.parse(JSON.stringify(value)) as object

function auditOf(entity: object): object {
  return {
    resourceType: 'AuditEvent',
    type: { code: 'rest' },
    recorded: '2024-05-01T10:00:00Z',
    agent: [{ requestor: true }],
    source: { observer: { display: 'x' } },
    entity: [entity],
  }
}

function immunizationWith(education: object): object {
  return {
    resourceType: 'Immunization',
    status: 'completed',
    vaccineCode: { text: 'x' },
    patient,
    occurrenceString: 'x',
    education: [education],
  }
}

function recommendationOf(rest: object): object {
  return {
    resourceType: 'ImmunizationRecommendation',
    patient,
    date: '2024',
    recommendation: [{ forecastStatus: { text: 'due' }, ...rest }],
  }
}

function documentWith(rest: object): object {
  return {
    ...bundle,
    type: 'document',
    identifier: { system: 'urn:x', value: '1' },
    timestamp: '2024-05-01T10:00:00Z',
    entry: [{ resource: composition }],
    ...rest,
  }
}
