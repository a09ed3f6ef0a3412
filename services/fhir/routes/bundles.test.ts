import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { processBundle } from '../interactions/bundle/process-bundle.ts'
import { fullAccess } from '../scopes/access.ts'
import { fhirWorld, program, tokenOf, type FhirWorld } from '../testing/fhir-world.ts'
import type { Seen } from '../testing/seen.ts'
import { slowPatient } from '../testing/slow-patient.ts'

describe('bundles', () => {
  let world: FhirWorld
  beforeAll(async () => {
    world = await fhirWorld({ bundleEntriesMax: 400 })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const send = (type: string, entry: readonly unknown[], headers: Record<string, string> = {}) =>
    world.call('POST', '', { body: { resourceType: 'Bundle', type, entry }, headers })
  const get = async (path: string) => (await world.call('GET', path)).body
  const patient = (value: string, rest: object = {}) => ({
    resourceType: 'Patient',
    identifier: [{ system: 'urn:mrn', value }],
    ...rest,
  })
  const observation = (subject: string, rest: object = {}) => ({
    resourceType: 'Observation',
    status: 'final',
    code: { text: 'x' },
    subject: { reference: subject },
    ...rest,
  })
  const entry = (method: string, url: string, rest: object = {}) => ({ ...rest, request: { method, url } })
  const patchOf = (...operations: readonly object[]) => ({
    resource: {
      ...{ resourceType: 'Binary', contentType: 'application/json-patch+json' },
      data: Buffer.from(JSON.stringify(operations)).toString('base64'),
    },
  })
  const activates = { op: 'add', path: '/active', value: true }
  const placeOf = (body: Seen, index: number) => body.entry[index]?.response.location.slice(world.base.length) ?? ''
  const statuses = (body: Seen): string[] => body.entry.map(({ response }) => response.status)

  it('a transaction of 300 entries is written as one, and its links lead to the new ids', async () => {
    const urn = 'urn:uuid:61ebe359-bfdc-4613-8bf2-c5e300945f0a'
    const { status, body } = await send('transaction', [
      entry('POST', 'Patient', { fullUrl: urn, resource: patient('t300') }),
      ...Array.from({ length: 299 }, (_one, index) =>
        entry('POST', 'Observation', { resource: observation(urn, { note: [{ text: String(index) }] }) }),
      ),
    ])
    expect(status).toBe(200)
    expect(new Set(statuses(body))).toEqual(new Set(['201 Created']))
    const id = body.entry[0]?.response.location.split('/').at(-3)
    const last = await get(placeOf(body, 299))
    expect(last.subject).toEqual({ reference: `Patient/${id}` })
    expect((await get(`/Observation?subject=Patient/${id}&_summary=count`)).total).toBe(299)
  })

  it('a batch carries out operations as the requests that they stand for, a transaction does not', async () => {
    await world.call('PUT', '/Patient/operated', { body: patient('operated', { id: 'operated' }) })
    const gender = 'http://hl7.org/fhir/administrative-gender'
    const parameters = (...parameter: readonly object[]) => ({ resource: { resourceType: 'Parameters', parameter } })
    const entries = [
      entry('GET', `CodeSystem/$lookup?system=${gender}&code=female`),
      entry(
        'POST',
        'CodeSystem/$lookup',
        parameters({ name: 'coding', valueCoding: { system: gender, code: 'male' } }),
      ),
      entry('GET', `${world.base}/ValueSet/$expand?url=http://hl7.org/fhir/ValueSet/administrative-gender`),
      entry('POST', 'Patient/$validate', { resource: { resourceType: 'Patient', colour: 'red' } }),
      entry('POST', 'Patient/$match', parameters({ name: 'resource', resource: patient('operated') })),
      entry('GET', 'metadata'),
      entry('POST', 'Patient/operated/$everything'),
      entry('GET', 'CodeSystem/$lookup?system=urn:nowhere&code=x'),
      entry('GET', 'Patient/$colour'),
      entry('POST', 'Patient/_search'),
    ]
    const { body } = await send('batch', entries)
    expect(statuses(body).map((status) => Number.parseInt(status, 10))).toEqual([
      ...[200, 200, 200, 200, 200, 200, 200],
      ...[404, 404, 400],
    ])
    expect(body.entry.map(({ resource }) => resource?.resourceType)).toEqual([
      ...['Parameters', 'Parameters', 'ValueSet', 'OperationOutcome', 'Bundle', 'CapabilityStatement', 'Bundle'],
      ...[undefined, undefined, undefined],
    ])
    expect((await send('transaction', entries.slice(0, 1))).status).toBe(400)
  })

  it('takes in a batch no larger body for an operation than by itself', async () => {
    const [path, bytesMax] = ['CodeSystem/$lookup', 262_144]
    const given = { name: 'coding', valueCoding: { system: 'http://loinc.org', code: '718-7' } }
    const parameters = (text: string) => ({
      resourceType: 'Parameters',
      parameter: [given, { name: 'note', valueString: text }],
    })
    const room = bytesMax - JSON.stringify(parameters('')).length
    const bodies = [room, room + 1].map((length) => parameters('x'.repeat(length)))
    const { body } = await send(
      'batch',
      bodies.map((resource) => entry('POST', path, { resource })),
    )
    expect(statuses(body)).toEqual(['200 OK', '413 Content Too Large'])
    for (const [at, sent] of bodies.entries()) {
      expect((await world.call('POST', `/${path}`, { body: sent })).status).toBe([200, 413][at])
    }
  })

  it('lets an operation in a batch see no more than its caller may', async () => {
    const as = { roles: ['SYSTEM'], scope: 'system/Observation.rs' } as const
    const body = {
      resourceType: 'Bundle',
      type: 'batch',
      entry: [
        entry('POST', 'Patient/operated/$everything'),
        entry('POST', 'Patient/$match', { resource: { resourceType: 'Parameters' } }),
      ],
    }
    const answer = await world.call('POST', '', { body, as })
    expect(answer.body.entry[1]?.response.status).toContain('403')
    expect(answer.text).not.toContain('urn:mrn')
  })

  it('replaces links in references, addresses and narratives, and leaves look-alikes alone', async () => {
    const urn = 'urn:uuid:0a1ebe35-bfdc-4613-8bf2-c5e300945f0b'
    const { body } = await send('transaction', [
      entry('POST', 'Patient', { fullUrl: urn, resource: patient('links') }),
      entry('PUT', 'Observation/links', {
        resource: observation(urn, {
          id: 'links',
          identifier: [{ system: 'urn:ietf:rfc:3986', value: urn }],
          extension: [{ url: 'urn:x', valueUri: urn }],
          text: {
            status: 'generated',
            div: `<div xmlns="http://www.w3.org/1999/xhtml"><a href="${urn}">${urn}</a></div>`,
          },
        }),
      }),
    ])
    const target = body.entry[0]?.fullUrl.slice(world.base.length + 1)
    expect(await get('/Observation/links')).toMatchObject({
      identifier: [{ value: urn }],
      extension: [{ valueUri: target }],
      subject: { reference: target },
      text: { div: `<div xmlns="http://www.w3.org/1999/xhtml"><a href="${target}">${urn}</a></div>` },
    })
  })

  it('finds conditional references among what is stored and what comes with them', async () => {
    await world.call('PUT', '/Patient/stored-ref', { body: patient('stored-ref', { id: 'stored-ref' }) })
    const { status, body } = await send('transaction', [
      entry('POST', 'Observation', { resource: observation('Patient?identifier=urn:mrn|stored-ref') }),
      entry('POST', 'Observation', { resource: observation('Patient?identifier=urn:mrn|new-ref') }),
      entry('PUT', 'Patient?identifier=urn:mrn|new-ref', { resource: patient('new-ref') }),
    ])
    expect([status, ...statuses(body)]).toEqual([200, '201 Created', '201 Created', '201 Created'])
    const subjectOf = async (index: number) => (await get(placeOf(body, index))).subject.reference
    expect(await subjectOf(0)).toBe('Patient/stored-ref')
    expect(`${world.base}/${await subjectOf(1)}`).toBe(body.entry[2]?.fullUrl)
  })

  it('lets conditional references lead to what is there once the bundle is written', async () => {
    const stored = (id: string, value: string) => world.call('PUT', `/Patient/${id}`, { body: patient(value, { id }) })
    const referring = (value: string) =>
      entry('POST', 'Observation', { resource: observation(`Patient?identifier=urn:mrn|${value}`) })
    const put = (id: string, value: string) => entry('PUT', `Patient/${id}`, { resource: patient(value, { id }) })
    const remove = (id: string) => entry('DELETE', `Patient/${id}`)
    const subjectIn = async (...entries: readonly object[]) => {
      const { status, body } = await send('transaction', entries)
      return status === 200
        ? (await get(placeOf(body, entries.length - 1))).subject.reference
        : [status, body.issue[0]?.expression]
    }
    await stored('ref-old', 'ref-old')
    expect(await subjectIn(remove('ref-old'), put('ref-new', 'ref-old'), referring('ref-old'))).toBe('Patient/ref-new')
    const nothing = [400, ['Bundle.entry[1].resource']]
    expect(await subjectIn(remove('ref-new'), referring('ref-old'))).toEqual(nothing)
    const byCriteria = entry('DELETE', 'Patient?identifier=urn:mrn|ref-old')
    expect(await subjectIn(byCriteria, referring('ref-old'))).toEqual(nothing)
    expect(await subjectIn(put('ref-new', 'ref-other'), referring('ref-old'))).toEqual(nothing)
    expect(await subjectIn(put('ref-new', 'ref-old'), referring('ref-old'))).toBe('Patient/ref-new')
    expect(await subjectIn(put('ref-new', 'ref-other'), put('ref-next', 'ref-old'), referring('ref-old'))).toBe(
      'Patient/ref-next',
    )
    const posted = entry('POST', 'Patient', { resource: patient('ref-old') })
    const { body: replaced } = await send('transaction', [remove('ref-next'), posted, referring('ref-old')])
    const { subject } = await get(placeOf(replaced, 2))
    expect(`${world.base}/${subject.reference}`).toBe(replaced.entry[1]?.fullUrl)
    for (const id of ['ref-1', 'ref-2', 'ref-3']) await stored(id, 'ref-many')
    expect(await subjectIn(remove('ref-1'), remove('ref-2'), remove('ref-3'), referring('ref-many'))).toEqual([
      400,
      ['Bundle.entry[3].resource'],
    ])
    for (const left of ['ref-1', 'ref-2', 'ref-3']) {
      const gone = ['ref-1', 'ref-2', 'ref-3'].filter((id) => id !== left)
      expect(await subjectIn(...gone.map(remove), referring('ref-many'))).toBe(`Patient/${left}`)
      for (const id of gone) await stored(id, 'ref-many')
    }
    expect(await subjectIn(remove('ref-1'), referring('ref-many'))).toEqual([412, ['Bundle.entry[1].resource']])
  })

  it.each([
    ['to be searched for', 500, 'Patient?birthdate=2000-01-01&name=nobody'],
    ['by an identifier', 5_000, 'Patient?identifier=urn:mrn|nobody'],
  ])('takes so many different conditional references %s: %i', async (_how, max, reference) => {
    const referring = (count: number) => {
      const entries = Array.from({ length: count }, (_each, at) => ({ item: { reference: `${reference}${at}` } }))
      const resource = { resourceType: 'List', status: 'current', mode: 'working', entry: [...entries, ...entries] }
      return send('transaction', [entry('POST', 'List', { resource })])
    }
    const found = async (count: number) => {
      const { status, body } = await referring(count)
      return [status, body.issue[0]?.code, body.issue[0]?.expression, body.issue[0]?.diagnostics]
    }
    const place = ['Bundle.entry[0].resource']
    expect(await found(max)).toEqual([400, 'invalid', place, expect.stringContaining('no resource matches')])
    const words = `is one too many: ${max} conditional references that differ are the limit`
    expect(await found(max + 1)).toEqual([422, 'too-costly', place, words])
  })

  it('takes a tag in a conditional reference for a tag, and a master identifier for an identifier', async () => {
    const tagged = observation('Patient?_tag=urn:mrn|tag-7')
    const refused = await send('transaction', [
      entry('POST', 'Patient', { resource: patient('tag-7') }),
      entry('POST', 'Observation', { resource: tagged }),
    ])
    expect([refused.status, refused.body.issue[0]?.expression]).toEqual([400, ['Bundle.entry[1].resource']])
    await world.call('PUT', '/Patient/tagged', {
      body: patient('tagged', { id: 'tagged', meta: { tag: [{ system: 'urn:mrn', code: 'tag-7' }] } }),
    })
    const { body } = await send('transaction', [
      entry('POST', 'Patient', { resource: patient('tag-7') }),
      entry('POST', 'Observation', { resource: tagged }),
    ])
    expect((await get(placeOf(body, 1))).subject.reference).toBe('Patient/tagged')
    const resource = {
      ...{ resourceType: 'DocumentReference', id: 'master', status: 'current' },
      masterIdentifier: { system: 'urn:doc', value: 'master' },
      content: [{ attachment: { url: 'https://a.example/1' } }],
    }
    const basic = { resourceType: 'Basic', code: { text: 'x' } }
    const referring = { ...basic, subject: { reference: 'DocumentReference?identifier=urn:doc|master' } }
    for (let times = 1; times <= 2; times++) {
      const written = await send('transaction', [
        entry('PUT', 'DocumentReference/master', { resource }),
        entry('POST', 'Basic', { resource: referring }),
      ])
      expect((await get(placeOf(written.body, 1))).subject.reference).toBe('DocumentReference/master')
    }
  })

  it('carries out DELETE, POST, PUT and PATCH, then GET, whatever their order', async () => {
    await world.call('PUT', '/Patient/order-old', { body: patient('order', { id: 'order-old' }) })
    await world.call('PUT', '/Patient/order-patch', { body: patient('order-p', { id: 'order-patch' }) })
    const { body } = await send(
      'transaction',
      [
        entry('GET', 'Patient?identifier=urn:mrn|order'),
        entry('PATCH', 'Patient/order-patch', patchOf(activates)),
        entry('POST', 'Patient', { resource: patient('order', { gender: 'female' }) }),
        entry('DELETE', 'Patient/order-old'),
        entry('GET', 'Patient/order-patch'),
      ],
      { prefer: 'return=representation' },
    )
    expect(statuses(body)).toEqual(['200 OK', '200 OK', '201 Created', '204 No Content', '200 OK'])
    expect(body.entry[0]?.resource.entry.map(({ resource }) => resource.gender)).toEqual(['female'])
    expect(body.entry[4]?.resource.active).toBe(true)
    expect(body.entry[2]?.resource.meta.versionId).toBe('1')
  })

  it('conditional entries create, keep, update and delete', async () => {
    await world.call('PUT', '/Patient/kept', { body: patient('kept', { id: 'kept' }) })
    const create = (value: string) => ({
      resource: patient(value),
      request: { method: 'POST', url: 'Patient', ifNoneExist: `identifier=urn:mrn|${value}` },
    })
    const { body } = await send('transaction', [
      create('kept'),
      create('made'),
      entry('PUT', 'Patient?identifier=urn:mrn|put', { resource: patient('put') }),
      entry('DELETE', 'Patient?identifier=urn:mrn|nobody'),
    ])
    expect(statuses(body)).toEqual(['200 OK', '201 Created', '201 Created', '204 No Content'])
    expect(body.entry[0]?.fullUrl).toBe(`${world.base}/Patient/kept`)
    expect((await get('/Patient/kept')).meta.versionId).toBe('1')
  })

  it('a conditional update takes the id of its body for what is new, and never what another resource has', async () => {
    const put = (value: string) =>
      send('transaction', [
        entry('PUT', `Patient?identifier=urn:mrn|${value}`, { resource: patient(value, { id: 'own-in-bundle' }) }),
      ])
    expect(statuses((await put('own-1')).body)).toEqual(['201 Created'])
    const taken = await put('own-2')
    expect([taken.status, taken.body.issue[0]?.expression]).toEqual([409, ['Bundle.entry[0]']])
    expect(await get('/Patient/own-in-bundle')).toMatchObject({ meta: { versionId: '1' }, ...patient('own-1') })
    expect(statuses((await put('own-1')).body)).toEqual(['200 OK'])
    await world.call('DELETE', '/Patient/own-in-bundle')
    expect(statuses((await put('own-2')).body)).toEqual(['201 Created'])
  })

  const whole = { resourceType: 'Patient', id: 'half' }
  it.each([
    [
      'an invalid resource',
      [entry('POST', 'Patient', { resource: { resourceType: 'Patient', gender: 'M' } })],
      422,
      'Bundle.entry[1].resource.gender',
    ],
    [
      'a version that is not current',
      [{ resource: { ...whole, id: 'stale' }, request: { method: 'PUT', url: 'Patient/stale', ifMatch: 'W/"9"' } }],
      412,
      'Bundle.entry[1]',
    ],
    ['a read of nothing', [entry('GET', 'Patient/nobody')], 404, 'Bundle.entry[1]'],
    [
      'the same resource twice',
      [entry('PUT', 'Patient/half', { resource: whole })],
      400,
      'Bundle.entry[1].request.url',
    ],
    [
      'a reference that finds nothing',
      [entry('POST', 'Observation', { resource: observation('Patient?identifier=urn:mrn|nobody') })],
      400,
      'Bundle.entry[1].resource',
    ],
    [
      'a reference to an entry that is not there',
      [entry('POST', 'Observation', { resource: observation('urn:uuid:0a1ebe35-bfdc-4613-8bf2-c5e300945fff') })],
      400,
      'Bundle.entry[1].resource',
    ],
    [
      'two entries of one fullUrl',
      [
        entry('POST', 'Patient', { fullUrl: 'urn:uuid:1', resource: patient('twice-1') }),
        entry('POST', 'Patient', { fullUrl: 'urn:uuid:1', resource: patient('twice-2', { meta: { versionId: '2' } }) }),
        entry('POST', 'Observation', { resource: observation('urn:uuid:1') }),
      ],
      400,
      'Bundle.entry[2].fullUrl',
    ],
    [
      'an id that is not that of the match',
      [entry('PUT', 'Patient?identifier=urn:mrn|stored-ref', { resource: patient('stored-ref', { id: 'another' }) })],
      400,
      'Bundle.entry[1].resource.id',
    ],
    ['no method', [{ resource: whole }], 400, 'Bundle.entry[1].request.method'],
    ['another server', [entry('GET', 'https://other.example/fhir/Patient/1')], 400, 'Bundle.entry[1].request.url'],
    ['an operation', [entry('POST', 'Patient/$match', { resource: whole })], 400, 'Bundle.entry[1].request.url'],
    ['null', [null], 400, 'Bundle.entry[1].request.method'],
    [
      'a type that is none',
      [entry('POST', 'Nonsense', { resource: { resourceType: 'Nonsense' } })],
      404,
      'Bundle.entry[1]',
    ],
    [
      'a patch that is none',
      [entry('PATCH', 'Patient/stored-ref', { resource: whole })],
      400,
      'Bundle.entry[1].resource',
    ],
    [
      'a patch of what its criteria do not find',
      [entry('PATCH', 'Patient?identifier=urn:mrn|nobody', patchOf(activates))],
      404,
      'Bundle.entry[1]',
    ],
    [
      'a patch of a version that its criteria do not find',
      [
        {
          ...patchOf(activates),
          request: { method: 'PATCH', url: 'Patient?identifier=urn:mrn|nobody', ifMatch: 'W/"1"' },
        },
      ],
      412,
      'Bundle.entry[1]',
    ],
    [
      'a patch that is none, of what its criteria do not find',
      [entry('PATCH', 'Patient?identifier=urn:mrn|nobody', { resource: whole })],
      400,
      'Bundle.entry[1].resource',
    ],
  ])('a transaction with %s writes nothing and says where', async (_what, entries, status, expression) => {
    const answer = await send('transaction', [entry('PUT', 'Patient/half', { resource: whole }), ...entries])
    expect(answer.status).toBe(status)
    expect(answer.body.issue[0]?.expression).toEqual([expression])
    expect((await world.call('GET', '/Patient/half')).status).toBe(404)
  })

  it.each([
    ['system/Patient.us', 404],
    ['system/Patient.cds', 403],
    ['system/Patient.u', 403],
  ])('a conditional patch in a transaction with %s alone answers %i where nothing matches', async (scope, status) => {
    const patch = entry('PATCH', 'Patient?identifier=urn:mrn|nobody', patchOf(activates))
    const body = { resourceType: 'Bundle', type: 'transaction', entry: [patch] }
    expect((await world.call('POST', '', { body, as: { roles: ['SYSTEM'], scope } })).status).toBe(status)
  })

  it('a Bundle that is stored keeps the references of its own entries', async () => {
    const urn = 'urn:uuid:0a1ebe35-bfdc-4613-8bf2-c5e300945fee'
    const resource = {
      resourceType: 'Bundle',
      type: 'collection',
      entry: [{ fullUrl: urn, resource: patient('inner') }, { resource: observation(urn) }],
    }
    const { body } = await send('transaction', [entry('POST', 'Bundle', { resource })])
    expect(statuses(body)).toEqual(['201 Created'])
    expect((await get(placeOf(body, 0))).entry[1]?.resource.subject.reference).toBe(urn)
  })

  it('only a transaction looks up conditional references; elsewhere they are refused', async () => {
    const resource = observation('Patient?identifier=urn:mrn|stored-ref')
    const { body } = await send('batch', [entry('POST', 'Observation', { resource })])
    expect(statuses(body)).toEqual(['422 Unprocessable Content'])
    expect(body.entry[0]?.response.outcome.issue[0]?.expression).toEqual(['Bundle.entry[0].resource.subject'])
    const direct = await world.call('POST', '/Observation', { body: resource })
    expect([direct.status, direct.body.issue[0]?.diagnostics]).toEqual([422, expect.stringContaining('transaction')])
  })

  it('a batch answers each entry by itself', async () => {
    const { status, body } = await send('batch', [
      entry('PUT', 'Patient/in-batch', { resource: patient('in-batch', { id: 'in-batch' }) }),
      entry('POST', 'Patient', { resource: { resourceType: 'Patient', gender: 'M' } }),
      entry('GET', 'Patient/nobody'),
      entry('GET', 'Patient?identifier=urn:mrn|stored-ref'),
      { request: 1 },
      entry('PUT', 'Patient?nonsense=1', { resource: patient('nonsense') }),
    ])
    expect(status).toBe(200)
    expect(statuses(body)).toEqual([
      '201 Created',
      '422 Unprocessable Content',
      '404 Not Found',
      '200 OK',
      '400 Bad Request',
      '400 Bad Request',
    ])
    expect(body.entry[5]?.response.outcome.issue[0]?.expression).toEqual(['Bundle.entry[5].request.url'])
    expect(body.entry[1]?.response.outcome.issue[0]?.expression).toEqual(['Bundle.entry[1].resource.gender'])
    expect(body.entry[3]?.resource.type).toBe('searchset')
  })

  it('an entry of a batch that fails unexpectedly fails by itself', async () => {
    await world.database.run(sql`alter table fhir.uris rename to uris_away`)
    const { status, body, text } = await send('batch', [
      entry('PUT', 'Patient/in-batch', { resource: patient('in-batch', { id: 'in-batch' }) }),
      entry('GET', 'ValueSet?url=urn:x'),
    ])
    await world.database.run(sql`alter table fhir.uris_away rename to uris`)
    expect([status, statuses(body)]).toEqual([200, ['200 OK', '500 Internal Server Error']])
    expect(text).not.toContain('uris')
  })

  it.each([
    ['nested too deeply', '[{"op":"add","path":"/name","value":'.padEnd(20_000, '['), 'nested deeper than 100 levels'],
    ['no JSON', '[{', 'not JSON'],
    ['ambiguous', '[{"op":"remove","op":"test","path":"/name"}]', 'given more than once'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'not UTF-8'],
  ])('a patch that is %s is refused in a bundle as it is by itself', async (_how, data, words) => {
    await world.call('PUT', '/Patient/patched', { body: patient('patched', { id: 'patched' }) })
    const contentType = 'application/json-patch+json'
    const resource = { resourceType: 'Binary', contentType, data: Buffer.from(data).toString('base64') }
    for (const type of ['batch', 'transaction']) {
      const { status, body, text } = await send(type, [entry('PATCH', 'Patient/patched', { resource })])
      expect(type === 'batch' ? statuses(body) : status).toEqual(type === 'batch' ? ['400 Bad Request'] : 400)
      expect(text).toContain(words)
    }
    const alone = {
      method: 'PATCH',
      headers: { 'content-type': contentType, authorization: `Bearer ${tokenOf(program)}` },
    }
    const answer = await fetch(`${world.base}/Patient/patched`, { ...alone, body: data })
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(words)])
  })

  it('an entry of a batch for which the database takes too long fails by itself', async () => {
    await world.call('PUT', '/Patient/slow', { body: patient('slow', { id: 'slow' }) })
    const slow = entry('PATCH', 'Patient/slow', patchOf(activates))
    await using _slow = await slowPatient(world.database)
    const { status, body } = await send('batch', [
      entry('PUT', 'Patient/beside-slow', { resource: patient('beside-slow', { id: 'beside-slow' }) }),
      slow,
      entry('GET', 'Patient/slow'),
    ])
    expect([status, statuses(body)]).toEqual([200, ['201 Created', '503 Service Unavailable', '200 OK']])
    expect(body.entry[1]?.response.outcome.issue[0]).toMatchObject({
      ...{ code: 'transient', diagnostics: expect.stringContaining('Try again') },
      expression: ['Bundle.entry[1]'],
    })
    expect((await world.call('GET', '/Patient/beside-slow')).status).toBe(200)
  })

  it('a batch of which nothing could be carried out is unavailable as a whole', async () => {
    await world.call('PUT', '/Patient/slow', { body: patient('slow', { id: 'slow' }) })
    await using _slow = await slowPatient(world.database)
    const slow = entry('PATCH', 'Patient/slow', patchOf(activates))
    for (const count of [1, 2, 40]) {
      const { status, body } = await send(
        'batch',
        Array.from({ length: count }, () => slow),
      )
      expect([status, body.issue[0]?.code]).toEqual([503, 'transient'])
    }
  })

  it('a batch does not begin the rest once all that run side by side could not be carried out', async () => {
    await world.call('PUT', '/Patient/slow', { body: patient('slow', { id: 'slow' }) })
    await using _slow = await slowPatient(world.database)
    const slow = entry('PATCH', 'Patient/slow', patchOf(activates))
    const { status, body } = await send('batch', [
      entry('GET', 'Patient/slow'),
      ...Array.from({ length: 39 }, () => slow),
    ])
    expect([status, statuses(body)]).toEqual([
      200,
      ['200 OK', ...Array.from({ length: 39 }, () => '503 Service Unavailable')],
    ])
    const said = body.entry.slice(1).map(({ response }) => response.outcome.issue[0]?.diagnostics ?? '')
    const begun = said.map((words) => !words.includes('not begun'))
    expect(begun).toEqual([...Array.from({ length: 32 }, () => true), ...Array.from({ length: 7 }, () => false)])
  })

  it('a batch that sorts by too much is told so in that entry', async () => {
    const { body } = await send('batch', [
      entry('GET', 'Patient?_sort=name,birthdate,gender&_sort=_id,family,given'),
      entry('GET', 'Patient?_count=1'),
    ])
    expect(statuses(body)).toEqual(['400 Bad Request', '200 OK'])
  })

  it.each(['batch', 'transaction'])('what is read in a %s is cut as it is by itself', async (type) => {
    await world.call('PUT', '/Patient/cut-here', {
      body: patient('cut-here', { id: 'cut-here', birthDate: '1980-01-02', active: true }),
    })
    const places = ['Patient/cut-here', 'Patient/cut-here/_history/1'].map((place) => `${place}?_elements=active`)
    const { body } = await send(
      type,
      [...places, 'Patient/cut-here'].map((place) => entry('GET', place)),
    )
    const shown = body.entry.map(({ resource }) => Object.keys(resource).includes('birthDate'))
    expect(shown).toEqual([false, false, true])
    expect(body.entry[0]?.resource).toEqual(await get('/Patient/cut-here?_elements=active'))
  })

  describe.each(['batch', 'transaction'])('in a %s', (type) => {
    it.each(['DELETE', 'PUT', 'PATCH', 'POST'])('%s of a version or of everything is refused', async (method) => {
      await world.call('PUT', '/Patient/versioned', { body: patient('versioned', { id: 'versioned' }) })
      const { meta } = await get('/Patient/versioned')
      const what = method === 'PATCH' ? patchOf(activates) : { resource: patient('other', { id: 'versioned' }) }
      for (const place of [
        'Patient/versioned/_history/1',
        'Patient/versioned/_history',
        'Patient/versioned/$everything',
      ]) {
        if (method === 'POST' && place.endsWith('everything')) continue
        const { status, body } = await send(type, [entry(method, place, method === 'DELETE' ? {} : what)])
        expect([type === 'batch' ? statuses(body) : status]).toEqual([type === 'batch' ? ['400 Bad Request'] : 400])
      }
      expect((await get('/Patient/versioned')).meta).toEqual(meta)
    })

    it.each(['?identifier=urn:mrn|', 'Patient?identifier=urn:mrn|', 'BASE/Patient?identifier=urn:mrn|'])(
      'an entry is created unless %s finds one',
      async (asked) => {
        const value = `once-${type}-${asked.length}`
        const ifNoneExist = `${asked.replace('BASE', world.base)}${value}`
        const once = { resource: patient(value), request: { method: 'POST', url: 'Patient', ifNoneExist } }
        const [first, second] = [await send(type, [once]), await send(type, [once])]
        expect([...statuses(first.body), ...statuses(second.body)]).toEqual(['201 Created', '200 OK'])
        const other = { ...once, request: { ...once.request, ifNoneExist: ifNoneExist.replace(/^.*[?]/, 'Group?') } }
        const { text } = await send(type, [other])
        expect(text).toContain('another type than the one that is created: Patient')
      },
    )
  })

  it.each([
    ['PUT', { method: 'PUT', url: 'Condition?subject=urn:uuid:61ebe359-bfdc-4613-8bf2-c5e300945f0c' }],
    [
      'POST',
      {
        ...{ method: 'POST', url: 'Condition' },
        ifNoneExist: 'code=x&subject=Patient/1,urn%3Auuid%3A61ebe359-bfdc-4613-8bf2-c5e300945f0c',
      },
    ],
  ])(
    'a conditional %s by the fullUrl of another entry is refused, and nothing is written',
    async (_method, request) => {
      const urn = 'urn:uuid:61ebe359-bfdc-4613-8bf2-c5e300945f0c'
      const { status, text } = await send('transaction', [
        {
          fullUrl: urn,
          resource: patient('by-urn'),
          request: { method: 'PUT', url: 'Patient?identifier=urn:mrn|by-urn' },
        },
        { resource: { resourceType: 'Condition', subject: { reference: urn }, code: { text: 'x' } }, request },
      ])
      expect(status).toBe(400)
      expect(text).toContain('subject cannot be a fullUrl; say, for instance, subject.identifier')
      expect((await get('/Patient?identifier=urn:mrn|by-urn&_summary=count')).total).toBe(0)
    },
  )

  it.each(['Patient/large', 'Patient?_id=large', 'Patient/large/_history', 'metadata'])(
    'reads %s no more often than one answer holds',
    async (url) => {
      await world.call('PUT', '/Patient/large', { body: patient('large', { id: 'large' }) })
      const small = { ...world.deps, limits: { ...world.deps.limits, answerCharactersMax: 1_000 } }
      const entries = Array.from({ length: 100 }, () => entry('GET', url))
      const operate = async () => ({ kind: 'made', content: world.deps.capabilityStatement(), touched: [] }) as const
      const request = { access: fullAccess, shows: 'nothing', isStrict: false, operate } as const
      const bundle = (type: string) => ({ ...request, bundle: { resourceType: 'Bundle', type, entry: entries } })
      const answer = await processBundle(bundle('batch'), small)
      const { entry: answered } = JSON.parse(answer.kind === 'made' ? answer.content : '{}') as Seen
      const found = answered.filter(({ response }) => response.status === '200 OK')
      expect(found.length).toBeGreaterThan(0)
      // As many as are under way at once may go beyond it.
      expect(found.length).toBeLessThan(50)
      expect(answered.at(-1)?.response).toMatchObject({ status: '422 Unprocessable Content' })
      if (url === 'metadata') return
      await expect(processBundle(bundle('transaction'), small)).rejects.toMatchObject({ kind: 'unprocessable' })
    },
  )

  it.each(['batch', 'transaction'])(
    'shows of what a %s wrote no more than one answer holds, and carries out all of it',
    async (type) => {
      const small = { ...world.deps, limits: { ...world.deps.limits, answerCharactersMax: 1_000 } }
      const entries = Array.from({ length: 100 }, (_, at) => ({
        resource: patient(`shown-${at}`, { id: `${type}-${at}` }),
        request: { method: 'PUT', url: `Patient/${type}-${at}` },
      }))
      const request = { access: fullAccess, shows: 'resource', isStrict: false } as const
      const answer = await processBundle(
        { ...request, bundle: { resourceType: 'Bundle', type, entry: entries } },
        small,
      )
      const { entry: answered } = JSON.parse(answer.kind === 'made' ? answer.content : '{}') as Seen
      expect(new Set(answered.map(({ response }) => response.status))).toEqual(new Set(['201 Created']))
      const shown = answered.filter(({ resource }) => resource !== undefined)
      expect(shown.length).toBeGreaterThan(0)
      expect(shown.length).toBeLessThan(50)
    },
  )

  it('takes as many entries as the limit says and refuses one more', async () => {
    const entries = Array.from({ length: 401 }, () => entry('GET', 'Patient/nobody'))
    expect((await send('batch', entries.slice(1))).body.entry).toHaveLength(400)
    expect((await send('batch', entries)).status).toBe(413)
  })

  it.each([
    [{ resourceType: 'Bundle' }, 400],
    [{ resourceType: 'Bundle', type: 'collection' }, 400],
    [{ resourceType: 'Bundle', type: 'batch', entry: {} }, 400],
    [{ resourceType: 'Patient' }, 400],
    [{ resourceType: 'Bundle', type: 'transaction' }, 200],
    [{ resourceType: 'Bundle', type: 'batch', entry: [] }, 200],
  ])('POST of %j to the base answers %i', async (body, status) => {
    expect((await world.call('POST', '/', { body })).status).toBe(status)
  })
})
