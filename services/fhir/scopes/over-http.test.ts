import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fhirWorld, type Called, type FhirWorld, type TestCaller } from '../testing/fhir-world.ts'

const category = 'http://terminology.hl7.org/CodeSystem/observation-category'
const doctor = { roles: ['CLINICIAN'], fhirUser: 'Practitioner/dr-amara' } as const
const app: TestCaller = { ...doctor, patient: 'amina', scope: 'patient/*.cruds' }
const scoped = (scope: string): TestCaller => ({ ...doctor, patient: 'amina', scope })

let world: FhirWorld
const call: FhirWorld['call'] = (...given) => world.call(...given)
beforeAll(async () => {
  world = await fhirWorld({ allowedOrigins: ['https://app.example'] })
  await put(
    { resourceType: 'Practitioner', id: 'dr-amara' },
    { resourceType: 'Organization', id: 'central', name: 'Central' },
    { resourceType: 'Patient', id: 'amina', generalPractitioner: [{ reference: 'Practitioner/dr-amara' }] },
    { resourceType: 'Patient', id: 'kofi' },
    observation('glucose', 'amina', 'laboratory'),
    observation('pulse', 'amina', 'vital-signs'),
    observation('smoking', 'amina', 'social-history'),
    observation('other', 'kofi', 'laboratory'),
  )
})
afterAll(() => world[Symbol.asyncDispose]())

describe('without a good token', () => {
  it('a request is answered 401 with a challenge, as an OperationOutcome', async () => {
    const { status, headers, body } = await call('GET', '/Patient/amina', { as: null })
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="corridor"'])
    expect(body).toMatchObject({ resourceType: 'OperationOutcome', issue: [{ code: 'login' }] })
  })

  it.each([
    'GET /Patient',
    'GET /Patient/amina',
    'POST /Patient',
    'PUT /Patient/amina',
    'DELETE /Patient/amina',
    'POST ',
  ])('%s is closed', async (request) => {
    const [method = '', path = ''] = request.split(' ')
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: { resourceType: 'Patient' } }
    expect((await call(method, path, { as: null, ...body })).status).toBe(401)
  })

  it.each(['/metadata', '/.well-known/smart-configuration'])('%s is open to every page', async (path) => {
    const { headers } = await call('GET', path, { as: null, headers: { origin: 'https://anybody.example' } })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('without the scope', () => {
  it.each<[string, string, TestCaller, string]>([
    ['GET', '/Condition', scoped('patient/Observation.rs'), 'patient/Condition.s'],
    ['GET', '/Condition/x', scoped('patient/Observation.rs'), 'patient/Condition.r'],
    ['DELETE', '/Observation/glucose', scoped('patient/Observation.rs'), 'patient/Observation.d'],
    ['GET', '/Patient/amina', { ...doctor, scope: 'openid' }, 'user/Patient.r'],
    ['GET', '/Patient/amina', { roles: ['SYSTEM'], scope: '' }, 'system/Patient.r'],
  ])('%s %s is answered 403 and names what is missing', async (method, path, as, scope) => {
    const { status, headers, body } = await call(method, path, { as })
    expect(status).toBe(403)
    expect(headers.get('www-authenticate')).toMatch(
      new RegExp(`^Bearer realm="corridor", error="insufficient_scope", .*, scope="${scope}"$`),
    )
    expect(body.issue[0]).toMatchObject({ code: 'forbidden', diagnostics: expect.stringContaining(scope) })
  })

  it.each(['Group', 'Binary', 'MessageHeader'])(
    'GET /%s is answered 403 to who is confined, and names no scope, for none would help',
    async (type) => {
      const { status, headers, body } = await call('GET', `/${type}`, { as: app })
      expect([status, headers.get('www-authenticate')?.includes('scope="')]).toEqual([403, false])
      expect(body.issue[0]?.diagnostics).toBe(
        `The access token does not let you search ${type} resources, and no patient/ scope lets its bearer.`,
      )
    },
  )

  it('who may read and not search is shown what they name, and no list', async () => {
    const as = { ...doctor, scope: 'user/Patient.r user/Organization.rs' }
    const statusOf = async (path: string) => (await call('GET', path, { as })).status
    expect(await statusOf('/Patient/kofi')).toBe(200)
    expect(await statusOf('/Patient/kofi/_history')).toBe(200)
    expect(await statusOf('/Patient/kofi/_history/1')).toBe(200)
    expect(await statusOf('/Patient')).toBe(403)
    expect(await statusOf('/Patient/_history')).toBe(403)
    const { body } = await call('GET', '/_history?_count=1000', { as })
    expect(new Set(entriesOf(body).map(({ resourceType }) => resourceType))).toEqual(new Set(['Organization']))
    const entry = ['Patient/_history', '_history'].map((url) => ({ request: { method: 'GET', url } }))
    const batch = await call('POST', '', { as, body: { resourceType: 'Bundle', type: 'batch', entry } })
    expect(batch.text).not.toContain('"Patient"')
  })

  it('who may search and not read is shown the list, and nothing by its id', async () => {
    const as = { ...doctor, scope: 'user/Patient.s' }
    expect((await call('GET', '/Patient/_history', { as })).status).toBe(200)
    expect((await call('GET', '/Patient/kofi/_history', { as })).status).toBe(403)
  })

  it('a user who unticked a type gets the others', async () => {
    const as = scoped('patient/Patient.rs patient/Condition.rs')
    const statuses = await Promise.all(
      ['/Patient', '/Condition', '/Observation'].map(async (path) => (await call('GET', path, { as })).status),
    )
    expect(statuses).toEqual([200, 200, 403])
  })

  it('what is out of reach answers as what never was', async () => {
    const there = await call('GET', '/Observation/other', { as: app })
    const never = await call('GET', '/Observation/never', { as: app })
    expect([there.status, there.text]).toEqual([404, never.text])
  })
})

describe('Subscriptions', () => {
  const secret = 'Authorization: Bearer s3cret'
  const hook: Resource = {
    resourceType: 'Subscription',
    id: 'hook',
    status: 'requested',
    reason: 'tested',
    criteria: 'Patient?',
    channel: {
      type: 'rest-hook',
      endpoint: 'https://receiver.example',
      payload: 'application/fhir+json',
      header: [secret],
    },
  }
  const clinician: TestCaller = { ...doctor, scope: 'user/*.cruds' }
  const admin: TestCaller = { roles: ['ADMIN'], fhirUser: 'Practitioner/admin', scope: 'user/*.cruds' }
  beforeAll(() => put(hook))

  it.each<[string, string, object?]>([
    ['GET', '/Subscription/hook'],
    ['GET', '/Subscription'],
    ['GET', '/Subscription/hook/_history'],
    ['GET', '/Subscription/hook/_history/1'],
    ['POST', '/Subscription', hook],
    ['PUT', '/Subscription/hook', { ...hook, status: 'off' }],
    ['PUT', '/Subscription?criteria=Patient?', { ...hook, status: 'off' }],
    ['DELETE', '/Subscription/hook'],
    ['DELETE', '/Subscription?status=requested'],
  ])('%s %s is answered 403 to a clinician, who is told for whom they are', async (method, path, body) => {
    const { status, text } = await call(method, path, { as: clinician, ...(body === undefined ? {} : { body }) })
    expect([status, text]).toEqual([403, expect.stringContaining('for people with the role ADMIN, and for programs.')])
    expect((await call('GET', '/Subscription/hook')).body.meta.versionId).toBe('1')
  })

  it('are in no list, history or bundle of a clinician', async () => {
    const headers = { 'content-type': 'application/json-patch+json' }
    expect((await call('PATCH', '/Subscription/hook', { as: clinician, body: [], headers })).status).toBe(403)
    const entry = ['Subscription/hook', '_history?_count=1000'].map((url) => ({ request: { method: 'GET', url } }))
    const batch = await call('POST', '', { as: clinician, body: { resourceType: 'Bundle', type: 'batch', entry } })
    const lists = await Promise.all(
      ['/_history?_count=1000', '/?_type=Subscription,Patient'].map((path) => call('GET', path, { as: clinician })),
    )
    for (const { text } of [batch, ...lists]) expect(text).not.toContain(secret)
  })

  it('are read and switched off by an administrator', async () => {
    expect((await call('GET', '/Subscription/hook', { as: admin })).text).toContain(secret)
    expect((await call('PUT', '/Subscription/hook', { as: admin, body: { ...hook, status: 'off' } })).status).toBe(200)
    expect((await call('DELETE', '/Subscription/hook', { as: admin })).status).toBe(204)
  })
})

describe('with the scope', () => {
  it('a patient’s app reads and writes the record, and follows its references', async () => {
    expect((await call('GET', '/Patient/amina', { as: app })).status).toBe(200)
    expect(await found('/Observation?_sort=_id', app)).toEqual(['glucose', 'pulse', 'smoking'])
    expect(await found('/Patient?_include=Patient:general-practitioner', app)).toEqual(['amina', 'dr-amara'])
    const created = await call('POST', '/Observation', { as: app, body: observation('new', 'amina', 'survey') })
    expect(created.status).toBe(201)
    const path = `/Observation/${created.body.id}`
    const updated = await call('PUT', path, { as: app, body: { ...created.body, status: 'amended' } })
    expect(updated.status).toBe(200)
    const moved = { ...created.body, subject: { reference: 'Patient/kofi' } }
    expect((await call('PUT', path, { as: app, body: moved })).status).toBe(403)
    expect((await call('DELETE', path, { as: app })).status).toBe(204)
    expect((await call('GET', path)).status).toBe(410)
  })

  it('a conditional update in a transaction still creates, under an id of the server', async () => {
    const { id: _id, ...rest } = observation('new', 'amina', 'survey')
    const resource = { ...rest, identifier: [{ system: 'urn:app', value: '1' }] }
    const request = { method: 'PUT', url: 'Observation?identifier=urn:app|1' }
    const bundle = { resourceType: 'Bundle', type: 'transaction', entry: [{ resource, request }] }
    const statuses = []
    for (let time = 0; time < 2; time++) {
      const { body } = await call('POST', '', { as: app, body: bundle })
      statuses.push(body.entry[0]?.response.status)
    }
    expect(statuses).toEqual(['201 Created', '200 OK'])
    await call('DELETE', '/Observation?identifier=urn:app|1')
  })

  it.each([
    [`patient/Observation.rs?category=${category}|laboratory`, ['glucose']],
    [
      `patient/Observation.rs?category=${category}|laboratory patient/Observation.rs?category=${category}|vital-signs`,
      ['glucose', 'pulse'],
    ],
    [`patient/Observation.rs?category=${category}|laboratory patient/Observation.rs`, ['glucose', 'pulse', 'smoking']],
    [`patient/Observation.rs?category=${category}|survey`, []],
    ['patient/Observation.rs?no-such-parameter=x', []],
    ['patient/*.rs?category=laboratory', ['glucose']],
  ])('granular scopes give what they find: %s', async (scope, expected) => {
    const as = scoped(scope)
    expect(await found('/Observation?_sort=_id', as)).toEqual(expected)
    const readable = await Promise.all(
      ['glucose', 'pulse', 'smoking', 'other'].map(
        async (id) => (await call('GET', `/Observation/${id}`, { as })).status,
      ),
    )
    expect(readable.filter((status) => status === 200)).toHaveLength(expected.length)
  })

  it('a granular scope lets nothing be written beyond it', async () => {
    const as = scoped(`patient/Observation.cruds?category=${category}|laboratory`)
    const post = (of: string) => call('POST', '/Observation', { as, body: observation('new', 'amina', of) })
    expect((await post('survey')).status).toBe(403)
    const made = await post('laboratory')
    expect(made.status).toBe(201)
    const reclassified = { ...made.body, category: [{ coding: [{ system: category, code: 'survey' }] }] }
    expect((await call('PUT', `/Observation/${made.body.id}`, { as, body: reclassified })).status).toBe(403)
    expect((await call('DELETE', `/Observation/${made.body.id}`, { as })).status).toBe(204)
    expect((await call('DELETE', '/Observation/pulse', { as })).status).toBe(204)
    expect((await call('GET', '/Observation/pulse')).status).toBe(200)
  })

  it('fhirUser lets one read oneself with a token for a patient', async () => {
    const as = scoped('openid fhirUser patient/Observation.rs')
    const { status, headers } = await call('GET', '/Practitioner/dr-amara', {
      as,
      headers: { origin: 'https://app.example' },
    })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, 'https://app.example'])
    expect((await call('GET', '/Practitioner', { as })).status).toBe(403)
  })
})

describe('a patch by who may not read', () => {
  const lab = `patient/Observation.rs?category=${category}|laboratory`
  const patch = (as: TestCaller, prefer = 'return=representation') =>
    call('PATCH', '/Observation/smoking', {
      as,
      body: [],
      headers: { 'content-type': 'application/json-patch+json', prefer },
    })
  const bundle = (type: string) => ({
    resourceType: 'Bundle',
    type,
    entry: [
      {
        resource: { resourceType: 'Binary', contentType: 'application/json-patch+json', data: btoa('[]') },
        request: { method: 'PATCH', url: 'Observation/smoking' },
      },
    ],
  })

  it.each([
    ['nothing', 'patient/Observation.u', false],
    ['other resources', `patient/Observation.u ${lab}`, false],
    ['it', 'patient/Observation.ru', true],
  ])('shows what was changed to who may read %s', async (_what, scope, isShown) => {
    const as = scoped(scope)
    const { status, text, headers } = await patch(as)
    expect([status, text.includes('social-history')]).toEqual([200, isShown])
    expect(headers.get('etag')).toMatch(/^W/)
    for (const type of ['batch', 'transaction']) {
      const options = { as, body: bundle(type), headers: { prefer: 'return=representation' } }
      const answer = await call('POST', '', options)
      expect(answer.body.entry[0]?.response.status).toBe('200 OK')
      expect(answer.text.includes('social-history')).toBe(isShown)
    }
    expect((await patch(as, 'return=OperationOutcome')).body.resourceType).toBe('OperationOutcome')
  })
})

describe('a change of one’s own Patient by who may not read it', () => {
  const born = { resourceType: 'Patient', id: 'unread', birthDate: '1980-02-03', name: [{ family: 'Sow' }] }
  const as: TestCaller = {
    roles: ['PATIENT'],
    fhirUser: 'Patient/unread',
    patient: 'unread',
    scope: 'patient/Patient.u',
  }
  const asPatch = { 'content-type': 'application/json-patch+json' }
  const binary = (operation: object) => ({
    resourceType: 'Binary',
    contentType: 'application/json-patch+json',
    data: btoa(JSON.stringify([operation])),
  })
  const inBundle = (type: string, method: string, resource: object) => {
    const entry = [{ resource, request: { method, url: 'Patient/unread' } }]
    return call('POST', '', { as, body: { resourceType: 'Bundle', type, entry } })
  }
  const guess = (path: string, value: unknown) => ({ op: 'replace', path, value })
  /** The same request with what is right and with what is wrong. */
  const ways: [string, (birthDate: string, family: string) => Promise<{ text: string; status: number }>][] = [
    [
      'put',
      (birthDate, family) => call('PUT', '/Patient/unread', { as, body: { ...born, birthDate, name: [{ family }] } }),
    ],
    ...['batch', 'transaction'].map((type): (typeof ways)[number] => [
      `put in a ${type}`,
      (birthDate, family) => inBundle(type, 'PUT', { ...born, birthDate, name: [{ family }] }),
    ]),
    [
      'patch',
      (birthDate) => call('PATCH', '/Patient/unread', { as, body: [guess('/birthDate', birthDate)], headers: asPatch }),
    ],
    [
      'patch within',
      (_date, family) =>
        call('PATCH', '/Patient/unread', { as, body: [guess('/name/0/family', family)], headers: asPatch }),
    ],
    [
      'patch of all',
      (birthDate) =>
        call('PATCH', '/Patient/unread', { as, body: [guess('', { ...born, birthDate })], headers: asPatch }),
    ],
    ['patch in a transaction', (birthDate) => inBundle('transaction', 'PATCH', binary(guess('/birthDate', birthDate)))],
  ]
  beforeAll(() => put(born))

  it.each(ways)('does not tell by a %s whether a guess is right', async (_how, send) => {
    const [right, wrong] = [await send('1980-02-03', 'Sow'), await send('1980-02-04', 'Ba')]
    expect([right.status, right.text]).toEqual([wrong.status, wrong.text])
    expect(right.text).toContain('ask for a scope that reads')
    expect((await call('GET', '/Patient/unread')).body.meta.versionId).toBe('1')
  })

  it('is made where it leaves that alone, and by who may read or find it', async () => {
    const phone = { op: 'add', path: '/telecom', value: [{ system: 'phone', value: '1' }] }
    expect((await call('PATCH', '/Patient/unread', { as, body: [phone], headers: asPatch })).status).toBe(200)
    for (const scope of ['patient/Patient.ru', 'patient/Patient.us']) {
      expect((await call('PUT', '/Patient/unread', { as: { ...as, scope }, body: born })).status).toBe(200)
      const other = { ...born, birthDate: '1980-02-04' }
      const { status, text } = await call('PUT', '/Patient/unread', { as: { ...as, scope }, body: other })
      expect([status, text.includes('must stay as it is')]).toEqual([403, true])
    }
  })
})

describe('a patch that looks', () => {
  const sent = (as: TestCaller, operation: object) =>
    call('PATCH', '/Observation/pulse', {
      ...{ as, body: [operation] },
      headers: { 'content-type': 'application/json-patch+json' },
    })
  const lab = `patient/Observation.rs?category=${category}|laboratory`

  it.each([
    { op: 'test', path: '/status', value: 'final' },
    { op: 'test', path: '/status', value: 'amended' },
    { op: 'copy', from: '/status', path: '/note' },
    { op: 'move', from: '/nothing', path: '/note' },
  ])('by %j is refused to who may not read, whatever is there', async (operation) => {
    for (const scope of ['patient/Observation.u', `patient/Observation.u ${lab}`]) {
      const { status, text } = await sent(scoped(scope), operation)
      expect(status).toBe(403)
      expect(text).toContain('need the right to read the resource')
    }
    expect((await sent(scoped('patient/Observation.ru'), operation)).status).not.toBe(403)
  })
})

describe('one’s own Patient', () => {
  const mrn = { system: 'urn:mrn', value: 'stranger' }
  const golden = { system: 'urn:corridor:patient-index', code: 'golden' }
  const birthTime = 'http://hl7.org/fhir/StructureDefinition/patient-birthTime'
  const self = { reference: 'Patient/self' }
  const own = { resourceType: 'Patient', id: 'self', identifier: [{ system: 'urn:mrn', value: 'own' }] }
  const as: TestCaller = { ...app, patient: 'self' }
  const asPatient: TestCaller = { roles: ['PATIENT'], fhirUser: self.reference, scope: 'user/*.cruds' }
  const patchOf = (operations: readonly object[]) => ({
    resourceType: 'Binary',
    contentType: 'application/json-patch+json',
    data: btoa(JSON.stringify(operations)),
  })
  beforeAll(() => put(own))

  it.each<[string, object, object]>([
    ['identifier', { op: 'add', path: '/identifier/-', value: mrn }, { identifier: [...own.identifier, mrn] }],
    ['identifier', { op: 'remove', path: '/identifier' }, { identifier: undefined }],
    [
      'link',
      { op: 'add', path: '/link', value: [{ other: { reference: 'Patient/kofi' }, type: 'seealso' }] },
      { link: [{ other: { reference: 'Patient/kofi' }, type: 'seealso' }] },
    ],
    ['meta.tag', { op: 'add', path: '/meta/tag', value: [golden] }, { meta: { tag: [golden] } }],
  ])('keeps its %s, in whichever way it is changed: %o', async (path, operation, rest) => {
    const body = { ...own, ...rest }
    const { id: _id, ...withoutId } = body
    const headers = { 'content-type': 'application/json-patch+json' }
    const inBundle = (type: string, url: string, resource: object, method = 'PUT') =>
      call('POST', '', {
        as,
        body: { resourceType: 'Bundle', type, entry: [{ resource, request: { method, url } }] },
      })
    for (const who of [as, asPatient]) {
      const refused = await call('PATCH', '/Patient/self', { as: who, body: [operation], headers })
      expect([refused.status, refused.body.issue[0]?.expression]).toEqual([403, [`Patient.${path}`]])
      expect((await call('PUT', '/Patient/self', { as: who, body })).status).toBe(403)
      const matching = await call('PUT', '/Patient?identifier=urn:mrn|own', { as: who, body: withoutId })
      expect(matching.status).toBe(403)
    }
    for (const [resource, method] of [
      [body, 'PUT'],
      [patchOf([operation]), 'PATCH'],
    ] as const) {
      const batch = await inBundle('batch', 'Patient/self', resource, method)
      expect(batch.body.entry[0]?.response.status).toBe('403 Forbidden')
      expect((await inBundle('transaction', 'Patient/self', resource, method)).status).toBe(403)
    }
    expect((await call('GET', '/Patient/self')).body.meta.versionId).toBe('1')
  })

  it.each([
    ['name', [{ family: 'Stranger' }]],
    ['birthDate', '1971-02-03'],
    ['_birthDate', { extension: [{ url: birthTime, valueDateTime: '1971-02-03T08:00:00Z' }] }],
    ['gender', 'female'],
    ['deceasedBoolean', true],
    ['_deceasedBoolean', { extension: [{ url: birthTime, valueDateTime: '1971-02-03T08:00:00Z' }] }],
    ['deceasedDateTime', '2026-01-01'],
    ['_deceasedDateTime', { extension: [{ url: birthTime, valueDateTime: '1971-02-03T08:00:00Z' }] }],
    ['active', false],
    ['multipleBirthBoolean', true],
    ['multipleBirthInteger', 2],
    ['managingOrganization', { reference: 'Organization/central' }],
    ['extension', [{ url: 'http://hl7.test/StructureDefinition/identity-unknown', valueBoolean: true }]],
  ])('keeps its %s where the patient writes: it takes who has seen papers', async (element, value) => {
    const before = await call('GET', '/Patient/self')
    const refused = await call('PUT', '/Patient/self', { as: asPatient, body: { ...own, [element]: value } })
    expect([refused.status, refused.body.issue[0]?.expression]).toEqual([403, [`Patient.${element}`]])
    expect((await call('GET', '/Patient/self')).body).toEqual(before.body)
    const telecom = [{ system: 'phone', value: `+221 ${element}` }]
    expect((await call('PUT', '/Patient/self', { as: asPatient, body: { ...own, telecom } })).status).toBe(200)
    expect((await call('PUT', '/Patient/self', { body: own })).status).toBe(200)
  })

  it('is changed otherwise, also by who may change some of it beside', async () => {
    const changed = await call('PUT', '/Patient/self', { as, body: { ...own, birthDate: '1971-02-03' } })
    expect(changed.status).toBe(200)
    const wider = { ...as, scope: 'patient/*.cruds user/Patient.u?birthdate=1971-02-03' }
    const body = { ...own, birthDate: '1971-02-03', identifier: [mrn] }
    expect((await call('PUT', '/Patient/self', { as: wider, body })).status).toBe(200)
    expect((await call('PUT', '/Patient/self', { body: { ...own, birthDate: '1971-02-03' } })).status).toBe(200)
  })

  it('is not deleted', async () => {
    for (const path of ['/Patient/self', '/Patient?identifier=urn:mrn|own']) {
      expect((await call('DELETE', path, { as })).status).toBe(403)
      expect((await call('DELETE', path, { as: asPatient })).status).toBe(403)
    }
    expect((await call('GET', '/Patient/self')).status).toBe(200)
  })
})

describe('a resource of two patients', () => {
  const kofi = { reference: 'Patient/kofi' }
  const amina = { reference: 'Patient/amina' }
  const participants = [kofi, amina].map((actor) => ({ actor, status: 'accepted' }))
  const coded = { text: 'tested' }

  it.each<[string, object]>([
    [
      'performed by one on the other',
      { resourceType: 'Observation', status: 'final', code: coded, subject: kofi, performer: [amina] },
    ],
    [
      'performed by the other on the one',
      { resourceType: 'Observation', status: 'final', code: coded, subject: amina, performer: [kofi] },
    ],
    [
      'that names the other by identifier',
      {
        resourceType: 'Observation',
        status: 'final',
        code: coded,
        subject: { identifier: { value: '2' } },
        performer: [amina],
      },
    ],
    [
      'that both attend',
      {
        resourceType: 'Appointment',
        status: 'booked',
        participant: participants,
        start: '2026-01-01T10:00:00Z',
        end: '2026-01-01T11:00:00Z',
      },
    ],
    ['sent to the other', { resourceType: 'Communication', status: 'completed', subject: amina, recipient: [kofi] }],
    [
      'about both',
      { resourceType: 'Provenance', target: [amina, kofi], recorded: '2026-01-01T00:00:00Z', agent: [{ who: amina }] },
    ],
  ])('%s is not written with a token for one', async (_what, body) => {
    const type = (body as { resourceType: string }).resourceType
    expect((await call('POST', `/${type}`, { as: app, body })).status).toBe(403)
    const { body: made } = await call('POST', `/${type}`, { body })
    const path = `/${type}/${made.id}`
    expect((await call('PUT', path, { as: app, body: { ...body, id: made.id } })).status).toBe(404)
    expect((await call('DELETE', path, { as: app })).status).toBe(204)
    expect((await call('GET', path)).status).toBe(200)
    await call('DELETE', path)
  })
})

describe('a resource of one’s own that was deleted', () => {
  it('is said to be gone, however it is read, and to be nothing to others', async () => {
    await put(observation('gone', 'amina', 'survey'))
    await call('DELETE', '/Observation/gone', { as: app })
    const statusesFor = (as: TestCaller) =>
      Promise.all(
        ['', '/_history/2', '/_history'].map(
          async (rest) => (await call('GET', `/Observation/gone${rest}`, { as })).status,
        ),
      )
    expect(await statusesFor(app)).toEqual([410, 410, 200])
    expect(await statusesFor({ ...app, patient: 'kofi' })).toEqual([404, 404, 404])
    for (const query of [
      `category=${category}|survey`,
      `category:not=${category}|laboratory`,
      'category:missing=true',
    ]) {
      const granular = scoped(`patient/Observation.rs?${query}`)
      expect(await statusesFor(granular)).toEqual([404, 404, 404])
      const { text } = await call('GET', '/Observation/_history?_count=1000', { as: granular })
      expect(text).not.toContain('Observation/gone')
    }
    const headers = { 'content-type': 'application/json-patch+json' }
    expect((await call('PATCH', '/Observation/gone', { as: app, body: [], headers })).status).toBe(404)
  })
})

describe('a resource that belonged to somebody else', () => {
  it('shows only the versions of the patient whose token it is', async () => {
    await put(observation('moved', 'kofi', 'survey'), observation('moved', 'amina', 'survey'))
    const kofi: TestCaller = { ...app, patient: 'kofi' }
    const statusOf = async (path: string, as: TestCaller) => (await call('GET', path, { as })).status
    expect(await statusOf('/Observation/moved', app)).toBe(200)
    expect(await statusOf('/Observation/moved/_history/1', app)).toBe(404)
    expect(await statusOf('/Observation/moved/_history/2', app)).toBe(200)
    expect(await statusOf('/Observation/moved', kofi)).toBe(404)
    expect(await statusOf('/Observation/moved/_history/1', kofi)).toBe(200)
    expect(await statusOf('/Observation/moved/_history/2', kofi)).toBe(404)
    for (const path of ['/Observation/moved/_history', '/Observation/_history?_count=1000', '/_history?_count=1000']) {
      const { body } = await call('GET', path, { as: app })
      const versions = entriesOf(body).filter(({ id }) => id === 'moved')
      expect(versions.map(({ meta }) => meta.versionId)).toEqual(['2'])
    }
  })
})

describe('$match', () => {
  it('knows nobody but the patient of the token, however alike they are', async () => {
    const twin = { resourceType: 'Patient', name: [{ family: 'Diallo', given: ['Amina'] }], birthDate: '1980-03-01' }
    await put({ ...twin, id: 'twin-1' }, { ...twin, id: 'twin-2' })
    const body = { resourceType: 'Parameters', parameter: [{ name: 'resource', resource: twin }] }
    const matches = async (as: TestCaller) => {
      const answer = await call('POST', '/Patient/$match', { as, body })
      return {
        total: answer.body.total,
        ids: entriesOf(answer.body)
          .map(({ id }) => id)
          .sort(),
      }
    }
    expect(await matches({ ...doctor, scope: 'user/Patient.rs' })).toEqual({ total: 2, ids: ['twin-1', 'twin-2'] })
    expect(await matches({ ...app, patient: 'twin-1' })).toEqual({ total: 1, ids: ['twin-1'] })
    expect(await matches(app)).toEqual({ total: 0, ids: [] })
  })
})

describe('pages of other origins', () => {
  it.each([
    ['https://app.example', 'https://app.example'],
    ['https://else.example', null],
    ['null', null],
  ])('%s may read answers and errors: %s', async (origin, allowed) => {
    for (const as of [app, null, scoped('openid')]) {
      const { headers } = await call('GET', '/Patient/amina', { as, headers: { origin } })
      expect(headers.get('access-control-allow-origin')).toBe(allowed)
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  it('are told before they call', async () => {
    const { headers } = await call('OPTIONS', '/Patient/amina', {
      as: null,
      headers: { origin: 'https://app.example', 'access-control-request-method': 'PUT' },
    })
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(headers.get('access-control-allow-methods')).toContain('PUT')
    const allowed = headers.get('access-control-allow-headers')?.split(', ')
    const sent = ['If-Match', 'If-Modified-Since', 'X-Security-Context', 'Cache-Control', 'X-Requested-With']
    expect(allowed).toEqual(expect.arrayContaining(sent))
  })

  it('see what a Binary belongs to', async () => {
    const { headers } = await call('GET', '/Patient/amina', { as: app, headers: { origin: 'https://app.example' } })
    expect(headers.get('access-control-expose-headers')).toContain('X-Security-Context')
  })
})

/** What is in a bundle: one without entries has no list of them, and what was deleted has no resource. */
const entriesOf = (bundle: Called['body']) =>
  [...('entry' in bundle ? bundle.entry : [])].filter((entry) => 'resource' in entry).map(({ resource }) => resource)

async function found(path: string, as: TestCaller): Promise<string[]> {
  return entriesOf((await call('GET', path, { as })).body).map(({ id }) => id)
}

interface Resource {
  readonly resourceType: string
  readonly id: string
  readonly [element: string]: unknown
}

async function put(...resources: readonly Resource[]): Promise<void> {
  for (const body of resources) await call('PUT', `/${body.resourceType}/${body.id}`, { body })
}

function observation(id: string, patient: string, of: string): Resource {
  return {
    resourceType: 'Observation',
    id,
    status: 'final',
    category: [{ coding: [{ system: category, code: of }] }],
    code: { text: 'tested' },
    subject: { reference: `Patient/${patient}` },
  }
}
