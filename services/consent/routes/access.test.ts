import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import type { TokenWish } from '../../../packages/testkit/tokens.ts'
import { admin, clinician, ConsentClient, patient, stranger, system, type Call } from '../testing/consent-client.ts'

let corridor: TestCorridor
let consents: ConsentClient
/** Made by the clinician; the patient is the one of the PATIENT token. */
let id: number
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'consent'] })
  consents = new ConsentClient(corridor)
  const made = await consents.post('', clinician, { patientId: 'amina-diallo', provisionType: 'permit' })
  id = made.body.id
})
afterAll(() => corridor[Symbol.asyncDispose]())

const question = '/evaluate?patientId=Patient/amina-diallo&actorReference=Device/x&resourceType=Observation'

interface Endpoint {
  readonly name: string
  readonly method: string
  readonly path: () => string
  readonly body?: object
  readonly open: readonly string[]
}

const endpoints: readonly Endpoint[] = [
  {
    name: 'create',
    method: 'POST',
    path: () => '',
    body: { patientId: 'p1', provisionType: 'permit' },
    open: ['CLINICIAN', 'ADMIN'],
  },
  { name: 'get', method: 'GET', path: () => `/${id}`, open: ['CLINICIAN', 'ADMIN'] },
  { name: 'get by FHIR id', method: 'GET', path: () => `/fhir/consent-${id}`, open: ['CLINICIAN', 'ADMIN'] },
  {
    name: 'list of the patient',
    method: 'GET',
    path: () => '/patient/amina-diallo',
    open: ['CLINICIAN', 'ADMIN', 'PATIENT'],
  },
  { name: 'change', method: 'PUT', path: () => `/${id}`, body: {}, open: ['CLINICIAN', 'ADMIN'] },
  { name: 'revoke', method: 'POST', path: () => `/${id}/revoke`, open: ['CLINICIAN', 'ADMIN'] },
  { name: 'evaluate', method: 'POST', path: () => question, open: ['SYSTEM', 'ADMIN'] },
  { name: 'stats', method: 'GET', path: () => '/admin/stats', open: ['ADMIN'] },
  { name: 'list of an organisation', method: 'GET', path: () => '/admin/org/central-hospital', open: ['ADMIN'] },
  { name: 'letting a new facility in', method: 'PUT', path: () => '/demo/facilities/walk-in', open: ['SYSTEM'] },
  { name: 'verification of the audit', method: 'GET', path: () => '/admin/audit/verify', open: ['ADMIN'] },
]

const callers: readonly (readonly [string, TokenWish])[] = [
  ['CLINICIAN', clinician],
  ['ADMIN', admin],
  ['SYSTEM', system],
  ['PATIENT', patient],
  ['nobody in particular', { roles: [] }],
]

const problem = (status: number) => ({
  type: expect.any(String),
  title: expect.any(String),
  status,
  detail: expect.any(String),
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
})

const call = (endpoint: Endpoint, more: Call) =>
  consents.call(endpoint.method, endpoint.path(), { ...(endpoint.body && { body: endpoint.body }), ...more })

describe.each(endpoints)('$name', (endpoint) => {
  it.each(callers.filter(([role]) => endpoint.open.includes(role)))('is open to %s', async (_role, as) => {
    expect((await call(endpoint, { as })).status).toBeLessThan(300)
  })

  it.each(callers.filter(([role]) => !endpoint.open.includes(role)))('is closed to %s', async (_role, as) => {
    const answer = await call(endpoint, { as })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.body).toMatchObject(problem(403))
  })

  it.each([
    ['no token', {}],
    ['an expired token', { as: { ...admin, expiresInSeconds: -120 } }],
    ['a token for the FHIR store only', { as: { ...admin, audience: 'http://localhost:1/fhir' } }],
    ['a refresh token', { as: { ...admin, typ: 'rt+jwt' } }],
    ['no real token', { headers: { authorization: 'Bearer x.y.z' } }],
  ] as const)('with %s is 401', async (_what, more) => {
    const answer = await call(endpoint, more)
    expect(answer.status).toBe(401)
    expect(answer.body).toMatchObject(problem(401))
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })
})

describe('the consents of a patient', () => {
  it.each(['RelatedPerson', 'Person', 'Practitioner'])(
    'are not those of a %s who has the same id, in the role of a patient',
    async (type) => {
      const answer = await consents.get('/patient/amina-diallo', { ...patient, fhirUser: `${type}/amina-diallo` })
      const others = await consents.get('/patient/kofi-mensah', patient)
      expect([answer.status, answer.body.detail]).toEqual([403, others.body.detail])
    },
  )

  it('are theirs where the token says no more than a role and a subject', async () => {
    const plain = { ...patient, claims: { fhirUser: undefined } }
    expect((await consents.get('/patient/amina-diallo', plain)).status).toBe(200)
  })
})

describe('a record of somebody else', () => {
  it.each([
    { name: 'get', method: 'GET', path: (of: number) => `/${of}` },
    { name: 'get by FHIR id', method: 'GET', path: (of: number) => `/fhir/consent-${of}` },
    { name: 'change', method: 'PUT', path: (of: number) => `/${of}`, body: { note: 'x' } },
    { name: 'revoke', method: 'POST', path: (of: number) => `/${of}/revoke` },
  ])('is as absent as one that never was: $name', async ({ method, path, body }) => {
    const ask = (of: number) => consents.call(method, path(of), { as: stranger, ...(body && { body }) })
    const missing = await ask(999_999_999)
    const foreign = await ask(id)
    expect([missing.status, foreign.status]).toEqual([404, 404])
    const withoutTime = (text: string) => text.replace(/"timestamp":"[^"]+"/, '')
    expect(withoutTime(foreign.text)).toBe(withoutTime(missing.text))
    const names = (headers: Headers) => [...headers.keys()].filter((name) => name !== 'date')
    expect(names(foreign.headers)).toEqual(names(missing.headers))
    expect(missing.body).toMatchObject(problem(404))
  })

  it.each([
    ['its maker without an organisation', { ...clinician, claims: { organisation: undefined } }, 200],
    ['a colleague of the same organisation', { ...clinician, subject: 'dr-other' }, 200],
    ['an administrator of another organisation', { ...admin, organisation: 'Organization/x' }, 200],
    [
      'a clinician without an organisation',
      { ...clinician, subject: 'dr-other', claims: { organisation: undefined } },
      404,
    ],
    ['a clinician of another organisation', stranger, 404],
  ])('is there for %s or not: %s', async (_who, as, status) => {
    expect((await consents.get(`/${id}`, as)).status).toBe(status)
  })

  it('without an organisation belongs to its maker alone', async () => {
    const loner = { ...clinician, subject: 'dr-loner', claims: { organisation: undefined } }
    const made = await consents.post('', loner, { patientId: 'p1', provisionType: 'permit' })
    expect((await consents.get(`/${made.body.id}`, loner)).status).toBe(200)
    const other = { ...loner, subject: 'dr-other' }
    expect((await consents.get(`/${made.body.id}`, other)).status).toBe(404)
  })

  it('may be given to another organisation, whose it then is too', async () => {
    const body = { patientId: 'p1', provisionType: 'permit', organisationId: 'Organization/lakeside-clinic' }
    const made = await consents.post('', clinician, body)
    expect((await consents.get(`/${made.body.id}`, stranger)).status).toBe(200)
    expect((await consents.get(`/${made.body.id}`, clinician)).status).toBe(200)
  })
})

describe('addresses and bodies that are wrong', () => {
  it.each([
    ['an id that is no number', 'GET', '/abc', undefined, 400],
    ['an id of 0', 'GET', '/0', undefined, 404],
    ['an id below 0', 'POST', '/-1/revoke', undefined, 404],
    ['an id beyond all numbers', 'GET', '/99999999999999999999', undefined, 400],
    ['a FHIR id that nothing can have', 'GET', '/fhir/a_b', undefined, 404],
    ['no JSON', 'POST', '', '{"patientId":', 400],
    ['a list', 'POST', '', '[]', 400],
    ['no body', 'POST', '', undefined, 400],
    ['a field twice', 'POST', '', '{"note":"a","note":"b"}', 400],
    ['another method', 'DELETE', '/1', undefined, 405],
    ['nothing there', 'GET', '/admin/nothing', undefined, 404],
  ])('%s', async (_what, method, path, raw, status) => {
    const answer = await consents.call(method, path, {
      as: admin,
      ...(raw === undefined ? { headers: { 'content-type': 'application/json' } } : { raw }),
    })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject(problem(status))
  })
})

describe('in strict mode', () => {
  it('a clinician records for their own organisation only, an administrator for any', async () => {
    await using strict = await testCorridor({
      services: ['auth', 'consent'],
      settings: { 'consent.strictOrganisation': 'true' },
    })
    const client = new ConsentClient(strict)
    const body = { patientId: 'p1', provisionType: 'permit', organisationId: 'Organization/lakeside-clinic' }
    expect((await client.post('', clinician, body)).status).toBe(403)
    expect((await client.post('', stranger, body)).status).toBe(201)
    expect((await client.post('', admin, body)).status).toBe(201)
    const loner = { ...clinician, claims: { organisation: undefined } }
    expect((await client.post('', loner, body)).status).toBe(403)
    expect((await client.post('', loner, { ...body, organisationId: null })).status).toBe(201)
  })
})
