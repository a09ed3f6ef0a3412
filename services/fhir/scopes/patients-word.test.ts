import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { patientsWord } from '../../../packages/fhir/patients-word.ts'
import { fhirWorld, type FhirWorld, type TestCaller } from '../testing/fhir-world.ts'
import { labelled } from './patients-word.ts'

const patient: TestCaller = {
  roles: ['PATIENT'],
  fhirUser: 'Patient/amina',
  patient: 'amina',
  scope: 'patient/*.cruds',
}
const mother: TestCaller = { fhirUser: 'RelatedPerson/mother', patient: 'amina', scope: 'patient/*.cruds' }
const clinician: TestCaller = { roles: ['CLINICIAN'], fhirUser: 'Practitioner/dr-amara', scope: 'user/*.cruds' }
const inApp: TestCaller = { ...clinician, patient: 'amina', scope: 'patient/*.cruds' }
const asPatch = { 'content-type': 'application/json-patch+json' }

let world: FhirWorld
const call: FhirWorld['call'] = (...given) => world.call(...given)
beforeAll(async () => {
  world = await fhirWorld()
  await call('PUT', '/Patient/amina', { body: { resourceType: 'Patient', id: 'amina' } })
})
afterAll(() => world[Symbol.asyncDispose]())

describe('what a patient writes', () => {
  it.each([
    ['a patient', patient, true],
    ['who acts for one', mother, true],
    ['a clinician’s app', inApp, false],
    ['a clinician', clinician, false],
  ])('is labelled, and nothing else is: %s', async (_who, as, expected) => {
    const { status, text } = await call('POST', '/Immunization', { as, body: dose() })
    expect([status, isLabelled(text)]).toEqual([201, expected])
  })

  it('keeps what else it says of itself, and is labelled once', () => {
    const [tag, other] = [
      { system: 'urn:app', code: 'diary' },
      { system: 'urn:app', code: 'R' },
    ]
    const resource = { language: 'fr', meta: { tag: [tag], security: [other] } }
    const once = labelled(resource)
    expect(once).toEqual({ language: 'fr', meta: { tag: [tag], security: [other, patientsWord] } })
    expect(labelled(once)).toBe(once)
    expect(labelled({ language: 'fr' } as object)).toEqual({ language: 'fr', meta: { security: [patientsWord] } })
  })

  it('is found by its label', async () => {
    const { body } = await call('POST', '/Immunization', { as: patient, body: dose() })
    const found = await call('GET', `/Immunization?_id=${body.id}&_security=${patientsWord.system}|PATRPT`)
    expect(found.body.total).toBe(1)
  })

  it('keeps the label in whichever way they change it', async () => {
    const { body: made } = await call('POST', '/Immunization', { as: patient, body: dose('own') })
    const path = `/Immunization/${made.id}`
    const without = { ...dose('own'), id: made.id }
    const { id: _id, ...withoutId } = without
    const removal = [{ op: 'remove', path: '/meta/security' }]
    const inBundle = (type: string, method: string, resource: object) =>
      call('POST', '', {
        as: patient,
        body: { resourceType: 'Bundle', type, entry: [{ resource, request: { method, url: path.slice(1) } }] },
      })
    const ways = [
      () => call('PUT', path, { as: patient, body: without }),
      () => call('PUT', '/Immunization?identifier=urn:app|own', { as: patient, body: withoutId }),
      () => call('PATCH', path, { as: patient, body: removal, headers: asPatch }),
      () => call('PATCH', '/Immunization?identifier=urn:app|own', { as: patient, body: removal, headers: asPatch }),
      ...['batch', 'transaction'].flatMap((type) => [
        () => inBundle(type, 'PUT', without),
        () => inBundle(type, 'PATCH', binary(removal)),
      ]),
    ]
    for (const [at, way] of ways.entries()) {
      expect((await way()).status).toBe(200)
      const { body, text } = await call('GET', path)
      expect([body.meta.versionId, isLabelled(text)]).toEqual([String(at + 2), true])
    }
    expect((await call('DELETE', path, { as: patient })).status).toBe(204)
  })

  it('is labelled in a transaction too, also where criteria create it', async () => {
    const entry = [
      { resource: dose(), request: { method: 'POST', url: 'Immunization' } },
      { resource: dose('new'), request: { method: 'PUT', url: 'Immunization?identifier=urn:app|new' } },
      {
        resource: dose('once'),
        request: { method: 'POST', url: 'Immunization', ifNoneExist: 'identifier=urn:app|once' },
      },
    ]
    const options = { as: patient, headers: { prefer: 'return=representation' } }
    for (const type of ['transaction', 'batch']) {
      const { body } = await call('POST', '', { ...options, body: { resourceType: 'Bundle', type, entry } })
      expect(body.entry.map(({ resource }) => isLabelled(JSON.stringify(resource)))).toEqual([true, true, true])
    }
  })

  it('is no longer their word once somebody who treats them has taken the label off', async () => {
    const { body: made } = await call('POST', '/Immunization', { as: patient, body: dose() })
    const path = `/Immunization/${made.id}`
    const confirmed = await call('PUT', path, { as: clinician, body: { ...dose(), id: made.id } })
    expect([confirmed.status, isLabelled(confirmed.text)]).toEqual([200, false])
    expect((await call('PUT', path, { as: patient, body: { ...dose(), id: made.id } })).status).toBe(403)
  })

  it('may be their own Patient, which bears no label', async () => {
    const body = { resourceType: 'Patient', id: 'amina', telecom: [{ system: 'phone', value: '1' }] }
    const { status, text } = await call('PUT', '/Patient/amina', { as: patient, body })
    expect([status, isLabelled(text)]).toEqual([200, false])
  })
})

describe('the record of who acts for a patient', () => {
  const ended = {
    resourceType: 'RelatedPerson',
    id: 'mother',
    meta: { extension: [{ url: 'urn:said-at', valueDateTime: '2026-10-01T08:00:00Z' }] },
    identifier: [{ system: 'urn:kin', value: 'mother' }],
    active: false,
    patient: { reference: 'Patient/amina' },
    name: [{ family: 'Diallo' }],
    period: { end: '2026-10-01' },
  }
  const tag = [{ system: 'urn:app', code: 'x' }]
  const later = [{ ...ended.meta.extension[0], valueDateTime: '2099-10-01T08:00:00Z' }]
  beforeAll(() => call('PUT', '/RelatedPerson/mother', { body: ended }))

  it.each<[string, object, object]>([
    ['active', { active: true }, { op: 'replace', path: '/active', value: true }],
    ['active', { active: undefined }, { op: 'remove', path: '/active' }],
    ['period', { period: { end: '2099-01-01' } }, { op: 'replace', path: '/period/end', value: '2099-01-01' }],
    ['period', { period: undefined }, { op: 'remove', path: '/period' }],
    ['identifier', { identifier: undefined }, { op: 'remove', path: '/identifier' }],
    ['name', { name: [{ family: 'Sy' }] }, { op: 'replace', path: '/name/0/family', value: 'Sy' }],
    ['meta.tag', { meta: { ...ended.meta, tag } }, { op: 'add', path: '/meta/tag', value: tag }],
    [
      'meta.extension',
      { meta: { extension: later } },
      { op: 'replace', path: '/meta/extension/0/valueDateTime', value: later[0]?.valueDateTime },
    ],
  ])('keeps its %s, in whichever way they change it: %o', async (element, change, operation) => {
    const body = { ...ended, ...change }
    const { id: _id, ...withoutId } = body
    const inBundle = (type: string, resource: object, method: string) =>
      call('POST', '', {
        as: mother,
        body: {
          resourceType: 'Bundle',
          type,
          entry: [{ resource, request: { method, url: 'RelatedPerson/mother' } }],
        },
      })
    for (const as of [mother, patient]) {
      const put = await call('PUT', '/RelatedPerson/mother', { as, body })
      expect([put.status, put.body.issue[0]?.expression]).toEqual([403, [`RelatedPerson.${element}`]])
      const patched = await call('PATCH', '/RelatedPerson/mother', { as, body: [operation], headers: asPatch })
      expect(patched.status).toBe(403)
      const byCriteria = '/RelatedPerson?identifier=urn:kin|mother'
      expect((await call('PUT', byCriteria, { as, body: withoutId })).status).toBe(403)
    }
    for (const [resource, method] of [
      [body, 'PUT'],
      [binary([operation]), 'PATCH'],
    ] as const) {
      expect((await inBundle('batch', resource, method)).body.entry[0]?.response.status).toMatch(/^403/)
      expect((await inBundle('transaction', resource, method)).status).toBe(403)
    }
    expect((await call('GET', '/RelatedPerson/mother')).body.meta.versionId).toBe('1')
  })

  it('is neither made nor deleted by them', async () => {
    const { id: _id, ...withoutId } = ended
    const body = { ...withoutId, identifier: [{ system: 'urn:kin', value: 'father' }] }
    for (const as of [mother, patient]) {
      expect((await call('POST', '/RelatedPerson', { as, body })).status).toBe(403)
      expect((await call('PUT', '/RelatedPerson?identifier=urn:kin|father', { as, body })).status).toBe(403)
      expect((await call('DELETE', '/RelatedPerson/mother', { as })).status).toBe(403)
    }
    expect((await call('GET', '/RelatedPerson?patient=amina')).body.total).toBe(1)
  })

  it('says how they are reached as they want it, and as the patient’s word', async () => {
    const telecom = [{ system: 'phone', value: '1' }]
    const changed = await call('PUT', '/RelatedPerson/mother', { as: mother, body: { ...ended, telecom } })
    expect([changed.status, isLabelled(changed.text)]).toEqual([200, true])
    const back = await call('PUT', '/RelatedPerson/mother', { as: inApp, body: { ...ended, active: true } })
    expect(back.status).toBe(200)
  })
})

describe('when something was said', () => {
  const saidAt = (valueDateTime: string) => ({ meta: { extension: [{ url: 'urn:said-at', valueDateTime }] } })
  const report = (number: string, rest: object = {}) => ({
    ...{ resourceType: 'DiagnosticReport', status: 'final', code: { text: 'x' } },
    identifier: [{ system: 'urn:lab', value: number }],
    subject: { reference: 'Patient/amina' },
    ...rest,
  })
  const [said, later] = [saidAt('2026-10-01T08:00:00Z'), saidAt('2099-10-01T08:00:00Z')]
  const recorded = report('F1', { id: 'reported', ...said })
  beforeAll(() => call('PUT', '/DiagnosticReport/reported', { body: recorded }))

  it.each<[string, string, object, Record<string, string>?]>([
    ['POST', '/DiagnosticReport', report('F2', later)],
    ['POST', '/DiagnosticReport', report('F2', later), { 'if-none-exist': 'identifier=urn:lab|F2' }],
    ['PUT', '/DiagnosticReport?identifier=urn:lab|F2', report('F2', later)],
    ['PUT', '/DiagnosticReport/reported', { ...recorded, ...later }],
    ['PUT', '/DiagnosticReport/reported', report('F1', { id: 'reported' })],
    ['PUT', '/DiagnosticReport?identifier=urn:lab|F1', report('F1', later)],
    ['PATCH', '/DiagnosticReport/reported', [{ op: 'remove', path: '/meta/extension' }], asPatch],
    [
      'PATCH',
      '/DiagnosticReport/reported',
      [{ op: 'add', path: '/meta/extension', value: later.meta.extension }],
      asPatch,
    ],
  ])('is not said by a patient, nor by who acts for one: %s %s', async (method, path, body, headers = {}) => {
    for (const as of [patient, mother]) {
      const answer = await call(method, path, { as, body, headers })
      expect([answer.status, answer.body.issue[0]?.expression]).toEqual([403, ['DiagnosticReport.meta.extension']])
    }
    expect((await call('GET', '/DiagnosticReport/reported')).body.meta.versionId).toBe('1')
    expect((await call('GET', '/DiagnosticReport?identifier=urn:lab|F2&_summary=count')).body.total).toBe(0)
  })

  it('stays, where they change the rest, also where they may not read it', async () => {
    const changed = { ...recorded, conclusion: 'It was early in the morning.' }
    expect((await call('PUT', '/DiagnosticReport/reported', { as: patient, body: changed })).status).toBe(200)
    const writer = { ...patient, scope: 'patient/DiagnosticReport.cu' }
    const { body: own } = await call('POST', '/DiagnosticReport', { as: writer, body: report('own') })
    const mended = { ...report('own', { id: own.id }), conclusion: 'mended' }
    expect((await call('PUT', `/DiagnosticReport/${own.id}`, { as: writer, body: mended })).status).toBe(200)
  })

  it('is written by a clinician’s app', async () => {
    expect((await call('POST', '/DiagnosticReport', { as: inApp, body: report('F3', later) })).status).toBe(201)
  })
})

describe('a dose that others have recorded', () => {
  const recorded = { ...dose('hospital'), id: 'recorded' }
  const { id: _id, ...withoutId } = recorded
  const change = [{ op: 'replace', path: '/status', value: 'entered-in-error' }]
  beforeEach(async () => {
    if ((await call('GET', '/Immunization/recorded')).status !== 200)
      await call('PUT', '/Immunization/recorded', { body: recorded })
  })

  it.each<[string, string, object?, Record<string, string>?]>([
    ['PUT', '/Immunization/recorded', recorded],
    ['PUT', '/Immunization/recorded', { ...recorded, meta: { security: [patientsWord] } }],
    ['PUT', '/Immunization/recorded', recorded, { 'if-match': 'W/"77"' }],
    ['PUT', '/Immunization?identifier=urn:app|hospital', withoutId],
    ['PATCH', '/Immunization/recorded', change, asPatch],
    ['PATCH', '/Immunization/recorded', change, { ...asPatch, 'if-match': 'W/"77"' }],
    ['PATCH', '/Immunization?identifier=urn:app|hospital', change, asPatch],
    ['DELETE', '/Immunization/recorded'],
    ['DELETE', '/Immunization?identifier=urn:app|hospital'],
  ])('is not theirs to change: %s %s', async (method, path, body, headers = {}) => {
    for (const as of [patient, mother]) {
      const answer = await call(method, path, { as, headers, ...(body === undefined ? {} : { body }) })
      expect([answer.status, answer.body.issue[0]?.diagnostics]).toEqual([
        403,
        expect.stringMatching(/^Others have recorded this Immunization: /),
      ])
    }
    const { body: kept } = await call('GET', '/Immunization/recorded')
    expect(kept.meta.versionId).toBe('1')
  })

  it.each(['batch', 'transaction'])('nor in a %s', async (type) => {
    const requests = [
      { resource: recorded, request: { method: 'PUT', url: 'Immunization/recorded' } },
      { resource: binary(change), request: { method: 'PATCH', url: 'Immunization/recorded' } },
      { request: { method: 'DELETE', url: 'Immunization/recorded' } },
      { request: { method: 'DELETE', url: 'Immunization?identifier=urn:app|hospital' } },
    ]
    for (const entry of requests) {
      const answer = await call('POST', '', { as: patient, body: { resourceType: 'Bundle', type, entry: [entry] } })
      const status = type === 'transaction' ? String(answer.status) : answer.body.entry[0]?.response.status
      expect(status).toMatch(/^403/)
    }
    expect((await call('GET', '/Immunization/recorded')).body.meta.versionId).toBe('1')
  })

  it('is changed by a clinician’s app for the patient', async () => {
    expect((await call('PUT', '/Immunization/recorded', { as: inApp, body: recorded })).status).toBe(200)
    expect((await call('DELETE', '/Immunization/recorded', { as: inApp })).status).toBe(204)
  })
})

/** As somebody would write it who wants it to be believed. */
function dose(identifier?: string): object {
  return {
    resourceType: 'Immunization',
    ...(identifier === undefined ? {} : { identifier: [{ system: 'urn:app', value: identifier }] }),
    status: 'completed',
    vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '183' }] },
    patient: { reference: 'Patient/amina' },
    occurrenceDateTime: '2026-10-01',
    primarySource: true,
  }
}

const binary = (operations: readonly object[]) => ({
  resourceType: 'Binary',
  contentType: 'application/json-patch+json',
  data: btoa(JSON.stringify(operations)),
})

const isLabelled = (text: string) => text.includes('"PATRPT"')
