import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { SimulatedClock } from '../../packages/clock/simulated-clock.ts'
import { makeOutbound, type Outbound } from '../../packages/http/outbound/outbound.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import type { BundleEntry, Patient } from '../../packages/fhir/r4.ts'
import { httpFhirStore, type HttpFhirStoreOptions } from './http-fhir-store.ts'
import { unavailableFhirStore } from './unavailable-fhir-store.ts'

const open: (Server | Outbound)[] = []
afterEach(async () => {
  for (const one of open.splice(0)) {
    if ('closeAllConnections' in one) one.closeAllConnections()
    await one.close()
  }
})

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A server of somebody else's, which answers by what is asked, and the port to it. */
async function storeOf(
  answers: Readonly<Record<string, Answer | ((count: number) => Answer)>>,
  options: Pick<HttpFhirStoreOptions, 'token' | 'clock'> = {},
) {
  const asked: string[] = []
  const counts = new Map<string, number>()
  const server = createServer((request, response) => {
    const key = `${request.method} ${decodeURIComponent(request.url ?? '')}`
    const { authorization = '-' } = request.headers
    const conditions = ['if-match', 'if-none-match', 'if-none-exist'].flatMap((name) => {
      const value = request.headers[name]
      return typeof value === 'string' ? [`${name}=${value}`] : []
    })
    let sent = ''
    request.on('data', (chunk) => (sent += String(chunk)))
    request.on('end', () => {
      asked.push([key, authorization, ...conditions, sent].join(' ').trim())
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      const found = answers[key] ?? { status: 404 }
      const { status = 200, headers = {}, body } = typeof found === 'function' ? found(count) : found
      response.writeHead(status, headers).end(body === undefined ? '' : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/r4`
  const outbound = makeOutbound({
    origins: [base],
    ...{ deadlineMs: 5_000, responseBytesMax: 100_000, clock: systemClock, log: silentLog, metrics: new Metrics() },
  })
  open.push(server, outbound)
  return { store: httpFhirStore({ base, outbound, ...options }), asked }
}

const plain = {
  body: { resourceType: 'CapabilityStatement', rest: [{ mode: 'server', resource: [{ type: 'Patient' }] }] },
}
const able = {
  body: {
    resourceType: 'CapabilityStatement',
    rest: [
      {
        mode: 'server',
        resource: [{ type: 'Patient', conditionalUpdate: true }],
        interaction: [{ code: 'transaction' }],
      },
    ],
  },
}
const patient: Patient = { resourceType: 'Patient', active: true }
const stored = (id: string, versionId = '1') => ({ ...patient, id, meta: { versionId } })
const searchset = (...resources: readonly object[]) => ({
  body: { resourceType: 'Bundle', type: 'searchset', entry: resources.map((resource) => ({ resource })) },
})
const criteria = { identifier: 'urn:a|1' }
const twice = 'POST /r4/Patient/_search'

describe('a server without conditional update', () => {
  it('is searched, and the version that was found is replaced', async () => {
    const { store, asked } = await storeOf({
      'GET /r4/metadata': plain,
      [twice]: searchset(stored('7', '3')),
      'PUT /r4/Patient/7': { body: stored('7', '4') },
    })
    expect(await store.updateMatching(patient, criteria)).toMatchObject({ outcome: 'updated', resource: { id: '7' } })
    expect(asked.at(-2)).toBe(`${twice} - identifier=urn%3Aa%7C1&_count=2`)
    expect(asked.at(-1)).toBe('PUT /r4/Patient/7 - if-match=W/"3" {"resourceType":"Patient","active":true,"id":"7"}')
  })

  it('is asked to create where nothing is found, unless somebody else did meanwhile', async () => {
    const { store, asked } = await storeOf({
      'GET /r4/metadata': plain,
      [twice]: searchset(),
      'POST /r4/Patient': (count) => ({ status: count === 1 ? 201 : 200, body: stored('8') }),
    })
    expect(await store.updateMatching({ ...patient, id: 'x' }, criteria)).toMatchObject({ outcome: 'created' })
    expect(asked.at(-1)).toContain('if-none-exist=identifier=urn%3Aa%7C1 {"resourceType":"Patient","active":true}')
    await expect(store.updateMatching(patient, criteria)).rejects.toMatchObject({ kind: 'conflict', code: undefined })
    expect(asked.filter((line) => line.includes('metadata'))).toHaveLength(1)
  })

  it('is not written to where several are found', async () => {
    const { store } = await storeOf({ 'GET /r4/metadata': plain, [twice]: searchset(stored('1'), stored('2')) })
    await expect(store.updateMatching(patient, criteria)).rejects.toMatchObject({ code: 'MULTIPLE_MATCHES' })
  })

  it('is not written to where one is found that must not be there', async () => {
    const { store, asked } = await storeOf({ 'GET /r4/metadata': plain, [twice]: searchset(stored('7', '3')) })
    const refused = { kind: 'conflict', code: undefined }
    await expect(store.updateMatching(patient, criteria, { mustBeNew: true })).rejects.toMatchObject(refused)
    expect(asked).toHaveLength(2)
  })

  it('says that it cannot do transactions', async () => {
    const { store } = await storeOf({ 'GET /r4/metadata': plain })
    expect((await store.capabilities()).transaction).toBe(false)
  })
})

describe('a server with conditional update', () => {
  it('is asked in one call, without an id, and for the resource where it does not show it', async () => {
    const { store, asked } = await storeOf({
      'GET /r4/metadata': able,
      'PUT /r4/Patient?identifier=urn:a|1': { status: 201, headers: { location: 'Patient/9/_history/1' } },
      'GET /r4/Patient/9': { body: stored('9') },
    })
    const written = await store.updateMatching({ ...patient, id: 'x' }, criteria)
    expect(written).toMatchObject({ outcome: 'created', resource: { id: '9' } })
    expect(asked[1]).toBe('PUT /r4/Patient?identifier=urn:a|1 - {"resourceType":"Patient","active":true}')
  })

  it('is told that it must be new in the same call, and whoever hears that it is not may read and repeat', async () => {
    const { store, asked } = await storeOf({
      'GET /r4/metadata': able,
      'PUT /r4/Patient?identifier=urn:a|1': (count) =>
        count === 1 ? { status: 201, body: stored('9') } : { status: 412 },
    })
    const make = () => store.updateMatching(patient, criteria, { mustBeNew: true })
    expect(await make()).toMatchObject({ outcome: 'created', resource: { id: '9' } })
    expect(asked.slice(1)).toEqual([
      'PUT /r4/Patient?identifier=urn:a|1 - if-none-match=* {"resourceType":"Patient","active":true}',
    ])
    await expect(make()).rejects.toMatchObject({ kind: 'conflict', code: undefined })
  })

  it('is not trusted with an answer that names nothing', async () => {
    const { store } = await storeOf({
      'GET /r4/metadata': able,
      'PUT /r4/Patient?identifier=urn:a|1': { body: { resourceType: 'OperationOutcome' } },
    })
    await expect(store.updateMatching(patient, criteria)).rejects.toMatchObject({ code: 'BAD_GATEWAY' })
  })
})

describe('many identifiers', () => {
  const keys = [
    { type: 'Patient', system: 'urn:a', value: '1' },
    { type: 'Encounter', value: 'x|y' },
  ]
  const first = 'Patient?identifier=urn:a|1&_count=10'
  const batching = {
    body: { resourceType: 'CapabilityStatement', rest: [{ mode: 'server', interaction: [{ code: 'batch' }] }] },
  }

  it('are one batch where the server takes batches', async () => {
    const { store, asked } = await storeOf({
      'GET /r4/metadata': batching,
      'POST /r4': {
        body: {
          resourceType: 'Bundle',
          entry: [
            { response: { status: '200 OK' }, resource: searchset(stored('7')).body },
            { response: { status: '200' }, resource: searchset().body },
          ],
        },
      },
    })
    expect(await store.findByIdentifiers(keys)).toEqual([[stored('7')], []])
    expect(asked).toHaveLength(2)
    expect(decodeURIComponent(asked[1] ?? '')).toContain(first)
  })

  it.each([
    [
      'an entry that was refused',
      [{ response: { status: '403 Forbidden' } }, { response: { status: '200' } }],
      'forbidden',
    ],
    ['an entry too few', [{ response: { status: '200' }, resource: searchset().body }], 'unavailable'],
  ])('%s is a fault', async (_what, entry, kind) => {
    const { store } = await storeOf({
      'GET /r4/metadata': batching,
      'POST /r4': { body: { resourceType: 'Bundle', entry } },
    })
    await expect(store.findByIdentifiers(keys)).rejects.toMatchObject({ kind })
  })

  it('are searched for one by one where it does not', async () => {
    const { store, asked } = await storeOf({
      'GET /r4/metadata': plain,
      'POST /r4/Patient/_search': searchset(stored('7')),
      'POST /r4/Encounter/_search': searchset(),
    })
    expect(await store.findByIdentifiers(keys)).toEqual([[stored('7')], []])
    expect(asked.slice(1).sort()).toEqual([
      'POST /r4/Encounter/_search - identifier=x%5C%7Cy&_count=10',
      'POST /r4/Patient/_search - identifier=urn%3Aa%7C1&_count=10',
    ])
  })
})

describe('the words of another server', () => {
  it.each([
    [400, 'incorrect', undefined],
    [401, 'unavailable', 'BAD_GATEWAY'],
    [403, 'forbidden', undefined],
    [404, 'missing', undefined],
    [405, 'unprocessable', undefined],
    [409, 'conflict', undefined],
    [410, 'missing', undefined],
    [412, 'conflict', 'MULTIPLE_MATCHES'],
    [413, 'unprocessable', 'TOO_LARGE'],
    [415, 'unprocessable', undefined],
    [422, 'unprocessable', undefined],
    [429, 'too-much', undefined],
    [500, 'unavailable', 'BAD_GATEWAY'],
    [501, 'unprocessable', undefined],
    [503, 'unavailable', 'BAD_GATEWAY'],
  ])('%i is a fault of kind %s', async (status, kind, code) => {
    const { store } = await storeOf({ 'POST /r4/Patient': { status, headers: { 'retry-after': '7' }, body: {} } })
    await expect(store.create(patient)).rejects.toMatchObject({ kind, code })
  })

  it.each(['42', 'Wed, 04 Mar 2026 06:15:42 GMT'])('says for how long: %s', async (wait) => {
    const clock = new SimulatedClock('2026-03-04T06:15:00Z')
    const busy = { headers: { 'retry-after': wait } }
    const answers = { 'GET /r4/Patient/1': { ...busy, status: 503 }, 'POST /r4/Patient': { ...busy, status: 429 } }
    const { store } = await storeOf(answers, { clock })
    await expect(store.read('Patient', '1')).rejects.toMatchObject({ retryAfterSeconds: 42 })
    await expect(store.create(patient)).rejects.toMatchObject({ retryAfterSeconds: 42 })
  })

  it('412 of a call that names a version is about the version', async () => {
    const { store } = await storeOf({ 'PUT /r4/Patient/1': { status: 412 } })
    await expect(store.update({ ...patient, id: '1' }, { version: '3' })).rejects.toMatchObject({
      code: 'PRECONDITION_FAILED',
    })
  })

  const issue = (one: object) => ({ resourceType: 'OperationOutcome', issue: [{ severity: 'error', ...one }] })
  const hapi = (diagnostics: string) => issue({ code: 'processing', diagnostics })
  const [version, several] = ['PRECONDITION_FAILED', 'MULTIPLE_MATCHES']
  it.each([
    ['nothing', undefined, version, several],
    ['a text', '<html>', version, several],
    ['an edit conflict', issue({ code: 'conflict' }), version, version],
    ['what Medplum says', issue({ code: 'processing', details: { text: 'Precondition Failed' } }), version, several],
    ['several matches', issue({ code: 'multiple-matches' }), several, several],
    [
      'what HAPI says',
      hapi('HAPI-1092: Invalid match URL "…" - Multiple resources match this search'),
      several,
      several,
    ],
    ['what HAPI says', hapi('Failed to UPDATE resource because this search matched 2 resources'), several, several],
  ])('412 of a transaction that says %s', async (_what, body, bound, unbound) => {
    const { store } = await storeOf({ 'POST /r4': { status: 412, body } })
    const put = (url: string, ifMatch?: string): BundleEntry => ({
      resource: stored('2'),
      request: { method: 'PUT', url, ...(ifMatch === undefined ? {} : { ifMatch }) },
    })
    const send = (...entry: BundleEntry[]) => store.transaction({ resourceType: 'Bundle', type: 'transaction', entry })
    const criterion = put('Patient?identifier=urn:a|1')
    await expect(send(criterion, put('Patient/2', 'W/"1"'))).rejects.toMatchObject({ kind: 'conflict', code: bound })
    const fresh: BundleEntry = {
      resource: stored('2'),
      request: { method: 'PUT', url: 'Patient?identifier=urn:a|1', ifNoneMatch: '*' },
    }
    await expect(send(fresh)).rejects.toMatchObject({ kind: 'conflict', code: bound })
    await expect(send(criterion)).rejects.toMatchObject({ kind: 'conflict', code: unbound })
  })

  it.each([['{"resourceType":"Observation"}'], ['"x"'], ['null']])('%s is no Patient', async (body) => {
    const { store } = await storeOf({ 'GET /r4/Patient/1': { body: JSON.parse(body) } })
    await expect(store.read('Patient', '1')).rejects.toMatchObject({ code: 'BAD_GATEWAY' })
  })
})

describe('whose rights the calls have', () => {
  const answer = { 'GET /r4/Patient/1': { body: stored('1') } }

  it('are nobody’s where the server asks for none', async () => {
    const { store, asked } = await storeOf(answer)
    await store.read('Patient', '1')
    expect(asked).toEqual(['GET /r4/Patient/1 -'])
  })

  it('are those of a given token', async () => {
    const { store, asked } = await storeOf(answer, { token: async () => 'fixed' })
    await store.read('Patient', '1')
    expect(asked).toEqual(['GET /r4/Patient/1 Bearer fixed'])
  })

  it('are those of a service account, whose refused token is replaced once', async () => {
    let number = 1
    const token = { token: async () => `t${number}`, forget: () => void number++ }
    const { store, asked } = await storeOf(
      { 'GET /r4/Patient/1': (count) => (count === 1 ? { status: 401 } : { body: stored('1') }) },
      { token },
    )
    await store.read('Patient', '1')
    expect(asked).toEqual(['GET /r4/Patient/1 Bearer t1', 'GET /r4/Patient/1 Bearer t2'])
  })
})

describe('all pages of a search at another server', () => {
  const page = (family: string, next?: string) => ({
    body: {
      resourceType: 'Bundle',
      type: 'searchset',
      ...(next === undefined ? {} : { link: [{ relation: 'next', url: next }] }),
      entry: [{ resource: { resourceType: 'Patient', name: [{ family }] } }],
    },
  })
  const familiesOf = (found: readonly Patient[]) => found.map(({ name }) => name?.[0]?.family)

  it('are asked for by its own links, also where only it understands them', async () => {
    const { store } = await storeOf({
      'GET /r4/Patient?_count=200&active=true': page('Adams', '?_getpages=17&_offset=200'),
      'GET /r4/?_getpages=17&_offset=200': page('Baker', '/r4?_getpages=17&_offset=400'),
      'GET /r4?_getpages=17&_offset=400': page('Cole'),
    })
    expect(familiesOf(await store.searchAll<Patient>('Patient', { active: 'true' }))).toEqual([
      ...['Adams', 'Baker', 'Cole'],
    ])
  })

  it('are asked of the server that we know, whatever it calls itself', async () => {
    const next = 'https://inside.example/fhir/Patient?_count=200&_tag=a&_tag=b&_cursor=2'
    const { store } = await storeOf({
      'GET /r4/Patient?_count=200': page('Adams', next),
      'GET /r4/Patient?_count=200&_tag=a&_tag=b&_cursor=2': page('Baker'),
    })
    expect(familiesOf(await store.searchAll<Patient>('Patient', {}))).toEqual(['Adams', 'Baker'])
  })

  it.each([
    ['lie on another server', 'https://elsewhere.example/r4?_getpages=17', 'the next page lies on another server'],
    ['have no end', 'Patient?_count=200', 'a search has no end'],
    ['have no address', 'http://[', 'the address of the next page is none'],
  ])('that %s are not given as if they were all', async (_what, next, logged) => {
    const { store, asked } = await storeOf({ 'GET /r4/Patient?_count=200': page('Adams', next) })
    await expect(store.searchAll('Patient', {})).rejects.toMatchObject({ kind: 'unavailable', logged })
    expect(asked.length).toBeLessThanOrEqual(500)
  })
})

describe('without a FHIR server', () => {
  it.each(Object.keys(unavailableFhirStore))('%s may be tried again later', async (name) => {
    const call = unavailableFhirStore[name as keyof typeof unavailableFhirStore] as () => Promise<unknown>
    await expect(call()).rejects.toMatchObject({ kind: 'unavailable', code: 'NO_FHIR_SERVER' })
  })
})
