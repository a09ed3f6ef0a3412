import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import { admin, clinician, ConsentClient, patient, stranger } from '../testing/consent-client.ts'

let corridor: TestCorridor
let consents: ConsentClient
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'consent'] })
  consents = new ConsentClient(corridor)
})
afterAll(() => corridor[Symbol.asyncDispose]())

const permit = { patientId: 'Patient/p1', provisionType: 'permit' }
const made = async (body: object = {}, as = clinician) => {
  const answer = await consents.post('', as, { ...permit, ...body })
  expect(answer.status).toBe(201)
  return answer.body
}

describe('a new consent', () => {
  it('is answered with its view, its address, its version and its FHIR Consent', async () => {
    const answer = await consents.post('', clinician, {
      ...permit,
      actorReference: 'Organization/lakeside-clinic',
      scopeValues: ['patient/Observation.read'],
      periodStart: '2026-01-01',
      periodEnd: '2030-12-31',
      regulatoryBasis: 'Data Protection Act',
      note: 'Agreed at the desk.',
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(Number),
      patientId: 'Patient/p1',
      actorReference: 'Organization/lakeside-clinic',
      provisionType: 'permit',
      resourceClasses: ['Observation'],
      scopeValues: ['patient/Observation.read'],
      permittedOperations: 'rs',
      periodStart: '2026-01-01',
      periodEnd: '2030-12-31',
      scopeContext: 'patient',
      purposes: [],
      regulatoryBasis: 'Data Protection Act',
      note: 'Agreed at the desk.',
      status: 'active',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      revokedAt: null,
    })
    const { id } = answer.body
    expect(answer.headers.get('location')).toBe(`/api/consent/${id}`)
    expect(answer.headers.get('etag')).toBe('W/"1"')
    expect(answer.headers.get('link')).toBe(
      `<${corridor.url('fhir')}/Consent/consent-${id}>; rel="alternate"; type="application/fhir+json"`,
    )
  })

  it.each([
    ['the bare id of a patient', { patientId: 'p1' }, { patientId: 'Patient/p1' }],
    ['no scopes', {}, { permittedOperations: 'cruds', resourceClasses: [], scopeContext: 'patient' }],
    [
      'an empty list of classes',
      { resourceClasses: [], scopeValues: ['patient/Observation.rs'] },
      { resourceClasses: [] },
    ],
    [
      'nulls',
      { actorReference: null, scopeValues: null, note: null, periodEnd: null },
      { scopeValues: [], note: null },
    ],
    ['a system scope', { patientId: null, scopeValues: ['system/*.rs'] }, { patientId: null, scopeContext: 'system' }],
    ['a user context', { patientId: null, scopeContext: 'user' }, { scopeContext: 'user' }],
    ['purposes in words', { purposes: ['TREATMENT', 'research'] }, { purposes: ['TREAT', 'HRESCH'] }],
    ['a client id as device', { actorReference: 'Device/svc_app@x' }, { actorReference: 'Device/svc_app@x' }],
    ['a launch scope', { scopeValues: ['launch/questionnaire'] }, { permittedOperations: '' }],
  ])('may be given with %s', async (_what, body, view) => {
    expect(await made(body)).toMatchObject(view)
  })

  it.each([
    ['no provision type', { provisionType: undefined }, 'provisionType'],
    ['another provision type', { provisionType: 'allow' }, 'provisionType'],
    ['no patient', { patientId: null }, 'patientId'],
    ['no patient but patient scopes', { patientId: null, scopeValues: ['patient/*.rs'] }, 'patientId'],
    ['no patient in a patient context', { patientId: null, scopeContext: 'patient' }, 'patientId'],
    ['a patient of another type', { patientId: 'Group/g1' }, 'patientId'],
    ['an empty patient', { patientId: '' }, 'patientId'],
    ['a patient that is a number', { patientId: 5 }, 'patientId'],
    ['an actor of another type', { actorReference: 'Practitioner/x' }, 'actorReference'],
    ['an actor without type', { actorReference: 'x' }, 'actorReference'],
    ['an unknown resource type', { resourceClasses: ['Observation', 'Foo'] }, 'resourceClasses[1]'],
    ['a class twice', { resourceClasses: ['Patient', 'Patient'] }, 'resourceClasses'],
    ['too many classes', { resourceClasses: Array.from({ length: 151 }, (_, n) => `T${n}`) }, 'resourceClasses'],
    ['letters out of order', { scopeValues: ['patient/Patient.dus'] }, 'scopeValues[0]'],
    ['capital letters', { scopeValues: ['patient/Patient.RS'] }, 'scopeValues[0]'],
    ['no letters', { scopeValues: ['patient/Patient.'] }, 'scopeValues[0]'],
    ['a scope without context', { scopeValues: ['patient/*.rs', 'Patient.rs'] }, 'scopeValues[1]'],
    ['a scope of an unknown type', { scopeValues: ['patient/Foo.rs'] }, 'scopeValues[0]'],
    ['too many scopes', { scopeValues: Array.from({ length: 101 }, () => 'patient/*.rs') }, 'scopeValues'],
    ['a day that is none', { periodStart: '2026-02-30' }, 'periodStart'],
    ['a year that there was not', { periodStart: '0000-01-01' }, 'periodStart'],
    ['an instant for a day', { periodEnd: '2026-01-01T00:00:00Z' }, 'periodEnd'],
    ['an end before its start', { periodStart: '2026-02-01', periodEnd: '2026-01-31' }, 'periodEnd'],
    ['another context', { scopeContext: 'launch' }, 'scopeContext'],
    ['a long note', { note: 'x'.repeat(2_049) }, 'note'],
    ['a note that no database keeps', { note: 'a\0b' }, 'note'],
    ['a long legal basis', { regulatoryBasis: 'x'.repeat(513) }, 'regulatoryBasis'],
    ['a purpose that nobody can ask for', { purposes: ['TREAT', 'public health'] }, 'purposes[1]'],
    ['another kind of organisation', { organisationId: 'Device/x' }, 'organisationId'],
  ])('is refused with %s, and the field is named', async (_what, body, path) => {
    const answer = await consents.post('', clinician, { ...permit, ...body })
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map((error) => error.path)).toContain(path)
    expect(answer.body.detail).toContain(path)
  })

  it.each([
    [
      'types of fields and rules',
      {
        ...{ patientId: 'Group/g1', note: 5, actorReference: 'x', scopeValues: ['patient/Patient.dus', 7, 'Foo'] },
        ...{ resourceClasses: ['Foo'], periodStart: '2026-02-01', periodEnd: '2026-01-01', provisionType: 'maybe' },
      },
      [
        ...['actorReference', 'note', 'patientId', 'periodEnd', 'provisionType', 'resourceClasses[0]'],
        ...['scopeValues[0]', 'scopeValues[1]', 'scopeValues[2]'],
      ],
    ],
    ['no more of a period than can be told', { periodStart: 'x', periodEnd: '2026-01-01' }, ['periodStart']],
    [
      'no patient to ask for where the context cannot be read',
      { patientId: null, scopeContext: 'x' },
      ['scopeContext'],
    ],
    ['no patient and a wrong type', { patientId: null, note: 5 }, ['note', 'patientId']],
  ])('is told in one answer of %s', async (_what, body, paths) => {
    const answer = await consents.post('', clinician, { ...permit, ...body })
    expect(answer.body.errors.map(({ path }) => path).toSorted()).toEqual(paths)
  })

  it('is told every failed field at once', async () => {
    const answer = await consents.post('', clinician, {
      patientId: 'x y',
      provisionType: 'permit',
      actorReference: 'x',
      resourceClasses: ['Foo'],
    })
    expect(answer.body.errors.map(({ path }) => path)).toEqual(['patientId', 'actorReference', 'resourceClasses[0]'])
  })

  it('is told everything that is missing at once', async () => {
    const answer = await consents.post('', clinician, {})
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [
        { path: 'patientId', message: 'is required' },
        { path: 'provisionType', message: 'is required' },
      ],
    ])
    expect((await consents.post('', clinician, { scopeContext: 'user' })).body.errors).toEqual([
      { path: 'provisionType', message: 'is required' },
    ])
  })

  it('hears of refusals that begin later, and of none that is over or that its own period does not meet', async () => {
    const of = { patientId: 'Patient/later', resourceClasses: ['Observation'] }
    const deny = { ...of, provisionType: 'deny' }
    const next = await made({ ...deny, periodStart: '2098-01-01' })
    const last = await made({ ...deny, periodStart: '2099-01-01', periodEnd: '2099-12-31' })
    await made({ ...deny, periodStart: '2020-01-01', periodEnd: '2020-12-31' })
    const conflictsOf = async (more: object) =>
      (await consents.post('', clinician, { ...permit, ...of, ...more })).headers.get('x-consent-conflicts')
    expect(await conflictsOf({})).toBe(`${last.id}, ${next.id}`)
    expect(await conflictsOf({ periodStart: '2097-01-01', periodEnd: '2098-12-31' })).toBe(String(next.id))
    expect(await conflictsOf({ periodEnd: '2097-12-31' })).toBeNull()
    expect(await conflictsOf({ periodStart: '2019-01-01', periodEnd: '2020-12-31' })).toBeNull()
  })

  it('hears of a policy that refuses, and not of those that a refusal is there to override', async () => {
    const about = { resourceClasses: ['Goal'], actorReference: 'Organization/hill-clinic' }
    const policy = { ...about, patientId: null, scopeContext: 'system' }
    const refusing = (await consents.post('', admin, { ...policy, provisionType: 'deny' })).body
    const conflictsOf = async (body: object, as = clinician) =>
      (await consents.post('', as, body)).headers.get('x-consent-conflicts')
    const of = { ...about, patientId: 'Patient/under-policies' }
    expect(await conflictsOf({ ...of, provisionType: 'permit' })).toBe(String(refusing.id))
    expect(await conflictsOf({ ...policy, provisionType: 'permit' }, admin)).toBe(String(refusing.id))
    expect(await conflictsOf({ ...policy, provisionType: 'permit' }, clinician)).toBeNull()
    await consents.post(`/${refusing.id}/revoke`, admin)
    expect(await conflictsOf({ ...of, patientId: 'Patient/opting-out', provisionType: 'deny' })).toBeNull()
    expect(await conflictsOf({ ...of, patientId: 'Patient/free', provisionType: 'permit' })).toBeNull()
  })

  it('hears which active records of the patient say the opposite', async () => {
    const of = { patientId: 'Patient/torn' }
    const optOut = await made({ ...of, provisionType: 'deny', resourceClasses: ['Observation'] })
    await made({ ...of, provisionType: 'deny', resourceClasses: ['Condition'] })
    const answer = await consents.post('', clinician, { ...permit, ...of, resourceClasses: ['Observation'] })
    expect(answer.headers.get('x-consent-conflicts')).toBe(String(optOut.id))
    const free = await consents.post('', clinician, { ...permit, ...of, resourceClasses: ['Encounter'] })
    expect(free.headers.get('x-consent-conflicts')).toBeNull()
  })
})

describe('a consent is found', () => {
  it('by its id, its FHIR id and its patient', async () => {
    const view = await made({ patientId: 'Patient/found' })
    expect((await consents.get(`/${view.id}`, clinician)).body).toEqual(view)
    expect((await consents.get(`/fhir/consent-${view.id}`, clinician)).body).toEqual(view)
    for (const path of ['/patient/found', '/patient/Patient%2Ffound', '/patient/Patient/found']) {
      expect((await consents.get(path, stranger)).body).toEqual([view])
    }
  })

  it('newest first, and with activeOnly only when it is active and holds today', async () => {
    const of = { patientId: 'Patient/many' }
    const current = await made({ ...of, periodStart: '2020-01-01' })
    const over = await made({ ...of, periodEnd: '2020-01-01' })
    const future = await made({ ...of, periodStart: '2099-01-01' })
    const revoked = await made(of)
    await consents.post(`/${revoked.id}/revoke`, clinician)
    const ids = async (query: string) => {
      const { text } = await consents.get(`/patient/many${query}`, admin)
      return (JSON.parse(text) as { id: number }[]).map(({ id }) => id)
    }
    expect(await ids('')).toEqual([revoked.id, future.id, over.id, current.id])
    expect(await ids('?activeOnly=false')).toHaveLength(4)
    expect(await ids('?activeOnly=true')).toEqual([current.id])
    expect((await consents.get('/patient/many?activeOnly=maybe', admin)).status).toBe(400)
    expect((await consents.get('/patient/no%20id', admin)).status).toBe(400)
  })

  it('by the patient, who sees only their own', async () => {
    const view = await made({ patientId: 'Patient/amina-diallo' })
    expect((await consents.get('/patient/amina-diallo', patient)).text).toContain(`"id":${view.id}`)
    const prefixed = { ...patient, subject: 'Patient/amina-diallo' }
    expect((await consents.get('/patient/Patient/amina-diallo', prefixed)).status).toBe(200)
    expect((await consents.get('/patient/kofi-mensah', patient)).status).toBe(403)
    expect((await consents.get(`/${view.id}`, patient)).status).toBe(403)
    // A subject alone makes nobody a patient.
    expect((await consents.get('/patient/amina-diallo', { roles: [], subject: 'amina-diallo' })).status).toBe(403)
  })

  it('by its organisation, in pages of 50 and at most 200', async () => {
    const organisation = 'Organization/paged'
    const as = { ...clinician, organisation }
    const first = await made({}, as)
    const second = await made({}, as)
    const { body } = await consents.get('/admin/org/paged', admin)
    expect(body).toMatchObject({
      ...{ number: 0, size: 50, totalElements: 2, totalPages: 1, numberOfElements: 2, first: true, last: true },
      empty: false,
      content: [{ id: second.id }, { id: first.id }],
      page: { number: 0, size: 50, totalElements: 2, totalPages: 1 },
    })
    expect(JSON.stringify(body)).not.toMatch(/organisationId|fhirConsentId|version|createdBy/)
    const page = await consents.get('/admin/org/Organization%2Fpaged?page=1&size=1', admin)
    expect(page.body).toMatchObject({ number: 1, size: 1, last: true, content: [{ id: first.id }] })
    expect((await consents.get('/admin/org/Organization/paged?size=1000', admin)).body).toMatchObject({ size: 200 })
    for (const query of ['page=-1', 'size=0', 'size=x', 'page=1.5']) {
      expect((await consents.get(`/admin/org/paged?${query}`, admin)).status).toBe(400)
    }
    expect((await consents.get('/admin/org/none', admin)).body).toMatchObject({ empty: true, totalElements: 0 })
  })
})

describe('a change', () => {
  it('applies what is given and not null, and derives the operations again', async () => {
    const view = await made({ scopeValues: ['patient/Observation.rs'], note: 'before', periodEnd: '2030-01-01' })
    const answer = await consents.put(`/${view.id}`, clinician, {
      scopeValues: ['patient/Observation.write'],
      resourceClasses: ['Observation', 'Condition'],
      note: null,
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).toBe('W/"2"')
    expect(answer.body).toEqual({
      ...view,
      scopeValues: ['patient/Observation.write'],
      permittedOperations: 'cud',
      resourceClasses: ['Observation', 'Condition'],
      updatedAt: expect.any(String),
    })
  })

  it('of nothing changes nothing', async () => {
    const view = await made()
    const answer = await consents.put(`/${view.id}`, clinician, { note: null, patientId: 'p1' })
    expect(answer.body).toEqual(view)
    expect(answer.headers.get('etag')).toBe('W/"1"')
  })

  it.each([
    ['another patient', { patientId: 'Patient/p2' }, 'patientId'],
    ['another organisation', { organisationId: 'Organization/x' }, 'organisationId'],
    ['a bad scope', { scopeValues: ['x'] }, 'scopeValues[0]'],
    ['an end before the start there is', { periodEnd: '2025-12-31' }, 'periodEnd'],
  ])('is refused with %s', async (_what, body, path) => {
    const view = await made({ periodStart: '2026-01-01' })
    const answer = await consents.put(`/${view.id}`, clinician, body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map((error) => error.path)).toEqual([path])
  })

  it('is told in one answer of types of fields and of rules', async () => {
    const view = await made({ periodStart: '2026-01-01' })
    const period = { periodStart: '2026-02-01', periodEnd: '2026-01-01' }
    const answer = await consents.put(`/${view.id}`, clinician, { ...period, note: 5, scopeValues: ['x'] })
    expect(answer.body.errors.map(({ path }) => path)).toEqual(['note', 'scopeValues[0]', 'periodEnd'])
  })

  it('cannot reach internal fields', async () => {
    const internal = { id: 99, version: 7, fhirConsentId: 'x', status: 'inactive', permittedOperations: '' }
    const more = { isDomainPolicy: true, createdBy: 'me', revokedAt: '2020-01-01T00:00:00Z', createdAt: 'x' }
    const view = await made({ ...internal, ...more })
    expect(view).toMatchObject({ status: 'active', permittedOperations: 'cruds', revokedAt: null })
    expect(view.id).not.toBe(99)
    const answer = await consents.put(`/${view.id}`, clinician, { ...internal, ...more })
    expect(answer.body).toEqual(view)
    expect(answer.headers.get('etag')).toBe('W/"1"')
  })

  it('of an inactive record is a conflict of its own kind', async () => {
    const view = await made()
    await consents.post(`/${view.id}/revoke`, clinician)
    const answer = await consents.put(`/${view.id}`, clinician, { note: 'x' })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ type: 'urn:corridor:problem:consent-inactive', code: 'CONSENT_INACTIVE' })
  })

  it.each([
    ['W/"1"', 200],
    ['"1"', 200],
    ['*', 200],
    ['"7", W/"1"', 200],
    ['W/"2"', 409],
    ['"x"', 409],
    ['1', 409],
  ])('with If-Match %s is answered %i', async (tag, status) => {
    const view = await made()
    const answer = await consents.put(`/${view.id}`, clinician, { note: 'x' }, { 'if-match': tag })
    expect(answer.status).toBe(status)
  })

  it('succeeds once of twenty at the same moment with the same If-Match', async () => {
    const view = await made()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        consents.put(`/${view.id}`, clinician, { note: `change ${n}` }, { 'if-match': 'W/"1"' }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(19)
    const winner = answers.find(({ status }) => status === 200)
    expect((await consents.get(`/${view.id}`, clinician)).body).toEqual(winner?.body)
  })
})

describe('a revocation', () => {
  it('keeps the record as inactive, with the reason in its note', async () => {
    const view = await made({ note: 'Agreed.' })
    const answer = await consents.post(`/${view.id}/revoke?reason=${encodeURIComponent('moved away')}`, clinician)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ id: view.id, status: 'inactive', revokedAt: expect.any(String) })
    expect(answer.body['note']).toMatch(/^Agreed\.\nRevoked \d{4}-.*Z by dr-amara: moved away$/)
    const again = await consents.post(`/${view.id}/revoke?reason=again`, clinician)
    expect(again.status).toBe(200)
    expect(again.body).toEqual(answer.body)
  })

  it('needs no reason, and one of 256 characters at most', async () => {
    const view = await made()
    expect((await consents.post(`/${view.id}/revoke?reason=${'x'.repeat(257)}`, clinician)).status).toBe(400)
    expect((await consents.post(`/${view.id}/revoke?reason=${'x'.repeat(256)}`, clinician)).status).toBe(200)
    const other = await made()
    const answer = await consents.post(`/${other.id}/revoke`, clinician)
    expect(answer.body['note']).toMatch(/by dr-amara$/)
  })

  it('by many at once happens once, and all have what they wanted', async () => {
    const view = await made()
    const answers = await Promise.all(Array.from({ length: 10 }, () => consents.post(`/${view.id}/revoke`, clinician)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  })

  it('honours If-Match', async () => {
    const view = await made()
    const call = { as: clinician, headers: { 'if-match': 'W/"9"' } }
    expect((await consents.call('POST', `/${view.id}/revoke`, call)).status).toBe(409)
  })
})

describe('a domain policy', () => {
  const policy = { patientId: null, provisionType: 'permit', scopeContext: 'system' }

  it('is changed and revoked by administrators only, also where it belongs to the organisation', async () => {
    const { id } = await made({ ...policy, actorReference: 'Device/x' }, admin)
    expect((await consents.get(`/${id}`, clinician)).status).toBe(200)
    expect((await consents.put(`/${id}`, clinician, { note: 'x' })).status).toBe(403)
    expect((await consents.post(`/${id}/revoke`, clinician)).status).toBe(403)
    expect((await consents.put(`/${id}`, admin, { note: 'x' })).status).toBe(200)
    expect((await consents.post(`/${id}/revoke`, admin)).status).toBe(200)
  })

  it('is not what a clinician writes without a patient: that is stored and decides nothing', async () => {
    const actorReference = 'Organization/nowhere'
    const { id } = await made({ ...policy, actorReference })
    const question = { patientId: 'p9', actorReference, resourceType: 'Patient' }
    expect((await consents.evaluate(question)).body).toMatchObject({ permitted: false, consentRecordId: null })
    expect((await consents.put(`/${id}`, clinician, { note: 'mine' })).status).toBe(200)
    const { id: adminsId } = await made({ ...policy, actorReference }, admin)
    expect((await consents.evaluate(question)).body).toMatchObject({ permitted: true, consentRecordId: adminsId })
    expect((await consents.put(`/${id}`, admin, { note: 'still no policy' })).status).toBe(200)
  })
})
