import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { fhirWorld, type Called, type FhirWorld } from '../testing/fhir-world.ts'

describe('the interactions over HTTP', () => {
  let world: FhirWorld
  beforeAll(async () => {
    world = await fhirWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const call: FhirWorld['call'] = (...given) => world.call(...given)
  const patient = (rest: object = {}) => ({ resourceType: 'Patient', ...rest })
  const identified = (value: string, rest: object = {}) =>
    patient({ identifier: [{ system: 'urn:mrn', value }], ...rest })

  it('create answers 201 with the stored resource and where it is', async () => {
    const { status, headers, body } = await call('POST', '/Patient', {
      body: patient({ id: 'mine', meta: { versionId: '7', tag: [{ code: 'kept' }] }, active: true }),
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      resourceType: 'Patient',
      active: true,
      meta: { versionId: '1', tag: [{ code: 'kept' }] },
    })
    expect(body.id).not.toBe('mine')
    expect(headers.get('location')).toBe(`${world.base}/Patient/${body.id}/_history/1`)
    expect(headers.get('etag')).toBe('W/"1"')
    expect(headers.get('content-type')).toBe('application/fhir+json; charset=utf-8')
    expect(Math.floor(Date.parse(body.meta.lastUpdated) / 1_000) * 1_000).toBe(
      Date.parse(headers.get('last-modified') ?? ''),
    )
    expect((await call('GET', `/Patient/${body.id}`)).body).toEqual(body)
  })

  it('update creates under a client id, then replaces, and keeps every version', async () => {
    const first = await call('PUT', '/Patient/client-id.1', { body: patient({ id: 'client-id.1', active: true }) })
    expect([first.status, first.headers.get('location')]).toEqual([201, `${world.base}/Patient/client-id.1/_history/1`])
    const second = await call('PUT', '/Patient/client-id.1', { body: patient({ id: 'client-id.1', gender: 'male' }) })
    expect(second.status).toBe(200)
    expect(second.body).toMatchObject({ gender: 'male', meta: { versionId: '2' } })
    expect(second.body.active).toBeUndefined()
    const old = await call('GET', '/Patient/client-id.1/_history/1')
    expect(old.body).toEqual(first.body)
    expect(old.headers.get('etag')).toBe('W/"1"')
    expect((await call('GET', '/Patient/client-id.1/_history/3')).status).toBe(404)
  })

  it('keeps decimals and the order of elements as they were sent', async () => {
    const text =
      '{"resourceType":"Observation","id":"exact","status":"final","valueQuantity":{"value":1.00,"unit":"g"},"code":{"text":"x"},"note":[{"text":"1.0"}]}'
    await call('PUT', '/Observation/exact', { body: text })
    const { text: stored } = await call('GET', '/Observation/exact')
    expect(stored).toContain('"status":"final","valueQuantity":{"value":1.00,"unit":"g"},"code":{"text":"x"}')
    expect((await call('GET', '/Observation/exact?_pretty=true')).text).toContain('"value": 1.00')
  })

  it.each([
    ['an unchanged version by its tag', { 'if-none-match': 'W/"1"' }, 304],
    ['one tag of several', { 'if-none-match': '"9", W/"1"' }, 304],
    ['another version by its tag', { 'if-none-match': 'W/"2"' }, 200],
    ['not modified since a later date', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 304],
    ['modified since an earlier date', { 'if-modified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' }, 200],
    ['a date that is none', { 'if-modified-since': 'yesterday' }, 200],
  ])('a read with %s', async (_what, headers, status) => {
    await call('PUT', '/Organization/read-me', { body: { resourceType: 'Organization', id: 'read-me', name: 'x' } })
    const version = (await call('GET', '/Organization/read-me')).headers.get('etag')
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('W/"1"', version ?? '')]),
    )
    const read = await call('GET', '/Organization/read-me', { headers: sent })
    expect(read.status).toBe(status)
    expect(read.headers.get('etag')).toBe(version)
    expect(read.text === '').toBe(status === 304)
  })

  it('a deleted resource is gone, keeps its history and can come back', async () => {
    await call('PUT', '/Patient/gone', { body: patient({ id: 'gone' }) })
    const deleted = await call('DELETE', '/Patient/gone')
    expect([deleted.status, deleted.headers.get('etag'), deleted.text]).toEqual([204, 'W/"2"', ''])
    expect((await call('GET', '/Patient/gone')).status).toBe(410)
    expect((await call('GET', '/Patient/gone/_history/2')).status).toBe(410)
    expect((await call('GET', '/Patient/gone/_history/1')).status).toBe(200)
    expect((await call('DELETE', '/Patient/gone')).status).toBe(204)
    expect((await call('DELETE', '/Patient/never-there')).status).toBe(204)
    const back = await call('PUT', '/Patient/gone', { body: patient({ id: 'gone' }) })
    expect([back.status, back.body.meta.versionId]).toEqual([201, '3'])
    const { body } = await call('GET', '/Patient/gone/_history')
    expect(body.entry.map(({ request, response }) => `${request.method} ${response.status}`)).toEqual([
      'PUT 201 Created',
      'DELETE 204 No Content',
      'PUT 201 Created',
    ])
    expect(body.entry[1]?.resource).toBeUndefined()
  })

  it.each([
    ['PUT', 'the current version', 'W/"1"', 200],
    ['PUT', 'an old version', 'W/"9"', 412],
    ['PUT', 'a version that never was one', 'W/"abc"', 412],
    ['PUT', 'no entity tag', 'abc', 400],
    ['DELETE', 'an old version', 'W/"9"', 412],
    ['DELETE', 'the current version', 'W/"1"', 204],
    ['PATCH', 'an old version', 'W/"9"', 412],
    ['PATCH', 'the current version', 'W/"1"', 200],
  ])('%s with If-Match of %s', async (method, what, tag, status) => {
    const id = `match-${method}-${what}`.replaceAll(' ', '-')
    await call('PUT', `/Patient/${id}`, { body: patient({ id }) })
    const body =
      method === 'PUT'
        ? patient({ id, active: true })
        : method === 'PATCH'
          ? [{ op: 'add', path: '/active', value: true }]
          : undefined
    const type = method === 'PATCH' ? { 'content-type': 'application/json-patch+json' } : {}
    const changed = await call(method, `/Patient/${id}`, { body, headers: { 'if-match': tag, ...type } })
    expect(changed.status).toBe(status)
    expect(status === 412 ? changed.body.issue[0]?.code : 'conflict').toBe('conflict')
  })

  it.each(['PUT', 'DELETE'])('%s with If-Match * is for what is there', async (method) => {
    const id = `star-${method}`
    const options = { headers: { 'if-match': '*' }, ...(method === 'PUT' ? { body: patient({ id }) } : {}) }
    expect((await call(method, `/Patient/${id}`, options)).status).toBe(412)
    expect((await call('GET', `/Patient/${id}`)).status).toBe(404)
    await call('PUT', `/Patient/${id}`, { body: patient({ id }) })
    expect((await call(method, `/Patient/${id}`, options)).status).toBe(method === 'PUT' ? 200 : 204)
  })

  it('a conditional delete looks at If-Match, by itself, in a batch and in a transaction', async () => {
    const ways = ['direct', 'batch', 'transaction'] as const
    for (const way of ways) {
      await call('PUT', `/Patient/if-${way}`, { body: identified(`if-${way}`, { id: `if-${way}` }) })
      const remove = async (value: string, tag: string) => {
        const url = `Patient?identifier=urn:mrn|${value}`
        if (way === 'direct') return (await call('DELETE', `/${url}`, { headers: { 'if-match': tag } })).status
        const entry = [{ request: { method: 'DELETE', url, ifMatch: tag } }]
        const { status, body } = await call('POST', '', { body: { resourceType: 'Bundle', type: way, entry } })
        return status === 200 ? Number(body.entry[0]?.response.status.slice(0, 3)) : status
      }
      expect(await remove(`if-${way}`, 'W/"9"')).toBe(412)
      expect(await remove('if-nobody', 'W/"1"')).toBe(412)
      expect(await remove('if-nobody', '*')).toBe(412)
      expect((await call('GET', `/Patient/if-${way}`)).status).toBe(200)
      expect(await remove(`if-${way}`, 'W/"1"')).toBe(204)
    }
  })

  it('a patch is held against the version that it names before anything else, by itself and in bundles', async () => {
    const fits = [{ op: 'add', path: '/active', value: true }]
    const failing = [{ op: 'test', path: '/active', value: false }]
    const invalid = [{ op: 'add', path: '/gender', value: 'M' }]
    const contentType = 'application/json-patch+json'
    await call('PUT', '/Patient/patch-gone', { body: patient({ id: 'patch-gone' }) })
    await call('DELETE', '/Patient/patch-gone')
    for (const way of ['direct', 'batch', 'transaction'] as const) {
      const id = `patch-${way}`
      await call('PUT', `/Patient/${id}`, { body: identified(id, { id }) })
      const patch = async (url: string, operations: readonly object[], ifMatch?: string) => {
        if (way === 'direct') {
          const headers = { 'content-type': contentType, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) }
          return (await call('PATCH', `/${url}`, { body: operations, headers })).status
        }
        const data = Buffer.from(JSON.stringify(operations)).toString('base64')
        const entry = [
          { resource: { resourceType: 'Binary', contentType, data }, request: { method: 'PATCH', url, ifMatch } },
        ]
        const { status, body } = await call('POST', '', { body: { resourceType: 'Bundle', type: way, entry } })
        return status === 200 ? Number(body.entry[0]?.response.status.slice(0, 3)) : status
      }
      const criteria = `Patient?identifier=urn:mrn|${id}`
      for (const url of [`Patient/${id}`, criteria]) {
        for (const operations of [fits, failing, invalid]) expect(await patch(url, operations, 'W/"9"')).toBe(412)
        for (const operations of [failing, invalid]) expect(await patch(url, operations, 'W/"1"')).toBe(422)
        expect(await patch(url, [{ op: 'none' }], 'W/"9"')).toBe(400)
      }
      for (const url of ['Patient/patch-gone', 'Patient/patch-never', 'Patient?identifier=urn:mrn|patch-never']) {
        for (const tag of ['W/"1"', '*']) expect(await patch(url, fits, tag)).toBe(412)
        expect(await patch(url, fits)).toBe(404)
      }
      expect((await call('GET', `/Patient/${id}`)).body.meta.versionId).toBe('1')
      expect(await patch(criteria, fits, '*')).toBe(200)
      expect(await patch(`Patient/${id}`, fits, 'W/"2"')).toBe(200)
    }
  })

  it('what was read as a part is not written back over the whole', async () => {
    await call('PUT', '/Patient/part', { body: patient({ id: 'part', birthDate: '1980-01-02', active: true }) })
    const { body: part } = await call('GET', '/Patient/part?_elements=active')
    const refused = await call('PUT', '/Patient/part', { body: part })
    expect([refused.status, refused.body.issue[0]?.expression]).toEqual([422, ['Patient.meta.tag']])
    const { meta: _meta, ...bare } = part
    expect((await call('PUT', '/Patient/part', { body: bare })).status).toBe(200)
  })

  it('PUT with If-None-Match * creates and never replaces', async () => {
    const options = { body: patient({ id: 'only-new' }), headers: { 'if-none-match': '*' } }
    expect((await call('PUT', '/Patient/only-new', options)).status).toBe(201)
    expect((await call('PUT', '/Patient/only-new', options)).status).toBe(412)
  })

  it('conditional create makes one and then finds it', async () => {
    const options = { body: identified('ce-1'), headers: { 'if-none-exist': 'identifier=urn:mrn|ce-1' } }
    const first = await call('POST', '/Patient', options)
    const second = await call('POST', '/Patient', options)
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body).toEqual(first.body)
    await call('POST', '/Patient', { body: identified('ce-1') })
    expect((await call('POST', '/Patient', options)).status).toBe(412)
  })

  it.each([
    ['identifier=urn:mrn|once', 200],
    ['?identifier=urn:mrn|once', 200],
    ['Patient?identifier=urn:mrn|once', 200],
    ['identifier=urn:mrn?active=true|once', 201],
    ['Group?identifier=urn:mrn|once', 400],
  ])('conditional create reads %s as what it asks for', async (asked, expected) => {
    await call('PUT', '/Patient/once', { body: identified('once', { id: 'once', active: true }) })
    const { status } = await call('POST', '/Patient', {
      body: identified('other'),
      headers: { 'if-none-exist': asked },
    })
    expect(status).toBe(expected)
  })

  it('conditional update creates, then updates, and refuses when many match', async () => {
    const path = '/Patient?identifier=urn:mrn|cu-1'
    const first = await call('PUT', path, { body: identified('cu-1') })
    const second = await call('PUT', path, { body: identified('cu-1', { active: true }) })
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body.id).toBe(first.body.id)
    expect(second.body.meta.versionId).toBe('2')
    const otherId = await call('PUT', path, { body: identified('cu-1', { id: 'another' }) })
    expect(otherId.status).toBe(400)
    await call('POST', '/Patient', { body: identified('cu-1') })
    expect((await call('PUT', path, { body: identified('cu-1') })).status).toBe(412)
  })

  it('conditional update creates only what its criteria would find again', async () => {
    const put = async (query: string, body: object) => (await call('PUT', `/Patient?${query}`, { body })).status
    const path = 'identifier=urn:mrn|carried'
    const refused = await call('PUT', `/Patient?${path}`, { body: identified('another') })
    expect([refused.status, refused.body.issue[0]?.expression]).toEqual([422, ['Patient.identifier']])
    expect(await put(`${path}&active=true`, identified('another', { active: true }))).toBe(422)
    expect(await put('identifier=carried', identified('another'))).toBe(422)
    const entry = [{ resource: identified('another'), request: { method: 'PUT', url: `Patient?${path}` } }]
    const whole = await call('POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } })
    expect([whole.status, whole.body.issue[0]?.expression]).toEqual([422, ['Bundle.entry[0].resource.identifier']])
    expect((await call('GET', '/Patient?identifier=another&_summary=count')).body.total).toBe(0)
    expect(await put(path, identified('carried'))).toBe(201)
    expect(await put(path, identified('renamed'))).toBe(200)
    const document = {
      resourceType: 'DocumentReference',
      status: 'current',
      masterIdentifier: { system: 'urn:doc', value: '1' },
      content: [{ attachment: { url: 'https://a.example/1' } }],
    }
    const byMaster = await call('PUT', '/DocumentReference?identifier=urn:doc|1', { body: document })
    expect(byMaster.status).toBe(201)
  })

  it('conditional update with an own id uses it for the new resource only', async () => {
    const made = await call('PUT', '/Patient?identifier=urn:mrn|own-1', { body: identified('own-1', { id: 'own-id' }) })
    expect([made.status, made.body.id]).toEqual([201, 'own-id'])
    const taken = await call('PUT', '/Patient?identifier=urn:mrn|own-2', {
      body: identified('own-2', { id: 'own-id' }),
    })
    expect(taken.status).toBe(409)
  })

  it('conditional interactions take any search, not only identifiers', async () => {
    await call('PUT', '/Patient/by-name', { body: patient({ id: 'by-name', name: [{ family: 'Zyxomma' }] }) })
    const changed = await call('PUT', '/Patient?family=Zyxomma&_format=json', {
      body: patient({ name: [{ family: 'Zyxomma', given: ['A'] }] }),
    })
    expect([changed.status, changed.body.id]).toEqual([200, 'by-name'])
    const patched = await call('PATCH', '/Patient?family=Zyxomma', {
      body: [{ op: 'add', path: '/gender', value: 'other' }],
      headers: { 'content-type': 'application/json-patch+json' },
    })
    expect([patched.status, patched.body.gender]).toEqual([200, 'other'])
    expect((await call('DELETE', '/Patient?family=Zyxomma')).status).toBe(204)
    expect((await call('GET', '/Patient/by-name')).status).toBe(410)
    expect((await call('DELETE', '/Patient?family=Zyxomma')).status).toBe(204)
  })

  it.each([
    ['PUT', '/Patient', identified('x')],
    ['PUT', '/Patient?_format=json', identified('x')],
    ['PUT', '/Patient?identifier=', identified('x')],
    ['DELETE', '/Patient', undefined],
    ['PUT', '/Patient?nonsense=1', identified('x')],
  ])('%s %s without criteria that could find something is refused', async (method, path, body) => {
    expect((await call(method, path, { body })).status).toBe(400)
  })

  it.each(['PUT', 'PATCH', 'DELETE', 'POST'])(
    '%s by an identifier with a sign that nothing has finds no other',
    async (method) => {
      const id = `nul-${method}`
      await call('PUT', `/Patient/${id}`, { body: identified(id, { id }) })
      const criteria = `identifier=urn:mrn|${id}%00`
      const [path, headers] =
        method === 'POST' ? ['/Patient', { 'if-none-exist': criteria }] : [`/Patient?${criteria}`, {}]
      const body = method === 'PATCH' ? [{ op: 'add', path: '/active', value: true }] : identified(id)
      const answer = await call(method, path, {
        ...(method === 'DELETE' ? {} : { body }),
        headers: { ...headers, ...(method === 'PATCH' ? { 'content-type': 'application/json-patch+json' } : {}) },
      })
      expect([answer.status, answer.text.includes('holds a NUL character')]).toEqual([400, true])
      expect((await call('GET', `/Patient/${id}`)).body.meta.versionId).toBe('1')
    },
  )

  it.each([
    [null, 'may not change'],
    ['text', 'may not change'],
    [[], 'may not change'],
    [{ resourceType: 'Patient' }, 'may not change'],
    [{ resourceType: 'Person', id: 'whole-patch' }, 'must be Patient, as the address says'],
  ])('a patch that puts %j in the place of the whole is refused', async (value, why) => {
    await call('PUT', '/Patient/whole-patch', { body: patient({ id: 'whole-patch' }) })
    const operations = [{ op: 'replace', path: '', value }]
    const contentType = 'application/json-patch+json'
    const patched = await call('PATCH', '/Patient/whole-patch', {
      ...{ body: operations, headers: { 'content-type': contentType } },
    })
    expect([patched.status, patched.text.includes(why)]).toEqual([400, true])
    const data = Buffer.from(JSON.stringify(operations)).toString('base64')
    const entry = [
      {
        resource: { resourceType: 'Binary', contentType, data },
        request: { method: 'PATCH', url: 'Patient/whole-patch' },
      },
    ]
    const sent = await call('POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } })
    expect([sent.status, sent.text.includes(why)]).toEqual([400, true])
  })

  it.each([
    ['minimal', 201, 'return=minimal', ''],
    ['representation', 201, 'return=representation', 'Patient'],
    ['an outcome', 201, 'return=OperationOutcome', 'OperationOutcome'],
    ['what is in quotes', 201, 'respond-async, return = "minimal"; foo', ''],
    ['what stands beside something else', 201, 'handling=strict return=minimal', ''],
    ['what is the default', 201, 'handling=strict', 'Patient'],
    ['what is the default in place of what is only alike', 201, 'myreturn=minimal, return=minimally', 'Patient'],
  ])('Prefer can ask for %s', async (_what, status, prefer, type) => {
    const created = await call('POST', '/Patient', { body: patient(), headers: { prefer } })
    expect(created.status).toBe(status)
    expect(created.headers.get('location')).toContain('/_history/1')
    expect(created.body?.resourceType ?? '').toBe(type)
  })

  it('reads can be cut to a summary or to elements', async () => {
    const body = patient({
      id: 'cut',
      active: true,
      gender: 'male',
      birthDate: '1980-01-02',
      contact: [{ name: { text: 'x' } }],
    })
    await call('PUT', '/Patient/cut', { body })
    const elements = await call('GET', '/Patient/cut?_elements=birthDate')
    expect(Object.keys(elements.body).sort()).toEqual(['active', 'birthDate', 'id', 'meta', 'resourceType'])
    expect(elements.body.meta.tag[0]?.code).toBe('SUBSETTED')
    const summary = await call('GET', '/Patient/cut?_summary=true')
    expect([summary.body.gender, summary.body.contact]).toEqual(['male', undefined])
  })

  it.each([
    ['_elements=Patient.birthDate', ['birthDate']],
    ['_elements=birthDate,%20gender', ['birthDate', 'gender']],
    ['_elements=contact.name', ['contact']],
    ['_elements=', ['birthDate', 'contact', 'gender']],
    ['_elements=birthDate&_elements=gender', ['gender']],
    ['_summary=true&_elements=contact', ['contact']],
    ['_elements=contact&_summary=true', ['birthDate', 'gender']],
    ['_elements=birth%20date', 400],
    ['_elements=birthDate,', 400],
    ['_summary=short', 400],
  ])('a read and a search understand %s the same', async (query, expected) => {
    const body = patient({ id: 'same', gender: 'male', birthDate: '1980-01-02', contact: [{ name: { text: 'x' } }] })
    await call('PUT', '/Patient/same', { body })
    const shown = ({ status, body: seen }: Called, resource: object | undefined) =>
      status === 200
        ? Object.keys(resource ?? {})
            .filter((name) => ['birthDate', 'contact', 'gender'].includes(name))
            .sort()
        : [status, seen.issue[0]?.diagnostics]
    const read = await call('GET', `/Patient/same?${query}`)
    const search = await call('GET', `/Patient?_id=same&${query}`)
    expect(shown(read, read.body)).toEqual(shown(search, search.body.entry?.[0]?.resource))
    expect(read.status === 200 ? shown(read, read.body) : read.status).toEqual(expected)
  })

  it.each([
    ['/Patient/cut', { accept: 'application/fhir+xml' }, 406],
    ['/Patient/cut?_format=xml', {}, 406],
    ['/Patient/cut?_format=application/fhir+json', { accept: 'text/turtle' }, 200],
    ['/Patient/cut?_format=json', {}, 200],
    ['/Patient/cut', { accept: 'application/json' }, 200],
    ['/Patient/cut', { accept: 'application/fhir+json;fhirVersion=4.0, */*;q=0.1' }, 200],
    ['/Patient/cut', { accept: 'application/fhir+json; fhirVersion=4.0.1' }, 200],
    ['/Patient/cut', { accept: 'application/fhir+json; fhirVersion="4.0"' }, 200],
    ['/Patient/cut', { accept: 'application/fhir+json; fhirVersion=3.0, application/fhir+json' }, 200],
    ['/Patient/cut', { accept: 'application/fhir+json; fhirVersion=3.0' }, 406],
    ['/Patient/cut', { accept: 'application/fhir+xml, */*;q=0' }, 406],
    ['/Patient/cut', { accept: 'application/fhir+json; q=0.000' }, 406],
    ['/Patient/cut', { accept: 'application/fhir+xml, application/fhir+json; q=0.001' }, 200],
    ['/metadata', { accept: 'application/fhir+json; fhirVersion=3.0' }, 406],
  ])('GET %s asking for %j answers %i', async (path, headers, status) => {
    await call('PUT', '/Patient/cut', { body: patient({ id: 'cut' }) })
    expect((await call('GET', path, { headers: headers })).status).toBe(status)
  })

  it('the whole history is read in pages, the newest first, of a type and of everything', async () => {
    for (let version = 1; version <= 5; version++) {
      await call('PUT', '/Basic/paged', {
        body: { resourceType: 'Basic', id: 'paged', code: { text: `v${version}` } },
      })
    }
    for (const start of ['/Basic/paged/_history?_count=2', '/Basic/_history?_count=2']) {
      const versions: string[] = []
      let path: string | undefined = start
      while (path !== undefined) {
        const { body }: Called = await call('GET', path)
        versions.push(...(body.entry ?? []).map(({ resource }) => resource.meta.versionId))
        const next = body.link.find(({ relation }) => relation === 'next')?.url
        path = next?.slice(world.base.length)
      }
      expect(versions).toEqual(['5', '4', '3', '2', '1'])
    }
    const everything = await call('GET', '/_history?_count=3', {
      as: { roles: ['SYSTEM'], scope: 'system/Basic.s system/Location.s' },
    })
    expect(everything.body.entry.map(({ fullUrl }) => fullUrl)).toEqual([
      `${world.base}/Basic/paged`,
      `${world.base}/Basic/paged`,
      `${world.base}/Basic/paged`,
    ])
    expect((await call('GET', '/Basic/_history?_since=2100-01-01')).body.entry).toBeUndefined()
    const odd = await call('GET', '/Basic/_history?_count=1&nonsense=1')
    expect([odd.status, odd.text.includes('nonsense')]).toEqual([200, false])
    const strict = { headers: { prefer: 'handling=strict' } }
    expect((await call('GET', '/Basic/_history?_count=1&nonsense=1', strict)).status).toBe(400)
    expect((await call('GET', '/Basic/_history?_count=1&_format=json', strict)).status).toBe(200)
    expect((await call('GET', '/Basic/_history?_since=&_count=&_at=', strict)).status).toBe(200)
    expect((await call('GET', '/Basic/nobody/_history')).status).toBe(404)
  })

  it.each(['999999999999999 1 1', '253402300800000 1 1', '0 9999999999999999999 1', '0 -9999999999999999999 1'])(
    'a history refuses a cursor that it could not have given: %s',
    async (text) => {
      const answer = await call('GET', `/Basic/_history?_cursor=${Buffer.from(text).toString('base64url')}`)
      expect([answer.status, answer.body.issue[0]?.expression]).toEqual([400, ['http._cursor']])
    },
  )

  it('a history of one resource goes on behind a version of its own, and of no other', async () => {
    for (const id of ['cursor-own', 'cursor-own', 'cursor-other']) {
      await call('PUT', `/Basic/${id}`, { body: { resourceType: 'Basic', id, code: { text: 'x' } } })
    }
    const { body } = await call('GET', '/Basic/cursor-own/_history?_count=1')
    const next = body.link.find(({ relation }) => relation === 'next')?.url.slice(world.base.length) ?? ''
    expect((await call('GET', next)).body.entry.map(({ resource }) => resource.meta.versionId)).toEqual(['1'])
    const astray = await call('GET', next.replace('cursor-own', 'cursor-other'))
    expect([astray.status, astray.body.issue[0]?.expression]).toEqual([400, ['http._cursor']])
  })

  it('a history is cut to what _summary and _elements ask for, also on its further pages', async () => {
    const basic = { resourceType: 'Basic', id: 'cut', code: { text: 'x' }, author: { display: 'y' } }
    await call('PUT', '/Basic/cut', { body: basic })
    await call('DELETE', '/Basic/cut')
    await call('PUT', '/Basic/cut', { body: basic })
    const strict = { headers: { prefer: 'handling=strict' } }
    const first = await call('GET', '/Basic/cut/_history?_elements=code&_count=2', strict)
    const next = first.body.link.find(({ relation }) => relation === 'next')?.url ?? ''
    const second = await call('GET', next.slice(world.base.length), strict)
    const membersOf = ({ body }: Called) =>
      body.entry.map((entry) => ('resource' in entry ? Object.keys(entry.resource) : []))
    const cut = ['resourceType', 'id', 'meta', 'code']
    expect([membersOf(first), membersOf(second)]).toEqual([[cut, []], [cut]])
    expect(first.text).toContain('SUBSETTED')
    expect((await call('GET', '/Basic/cut/_history?_summary=text')).text).not.toContain('"author"')
    expect((await call('GET', '/Basic/cut/_history?_summary=count')).body.issue[0]?.expression).toEqual([
      'http._summary',
    ])
  })

  it('a history takes an instant whose plus sign was not encoded', async () => {
    expect((await call('GET', '/Basic/_history?_since=2100-01-01T00:00:00+02:00')).status).toBe(200)
  })

  it('pages of a history end where they would be too large, and lead on', async () => {
    const ids = ['large-1', 'large-2']
    for (const id of ids)
      await call('PUT', `/Basic/${id}`, { body: { resourceType: 'Basic', id, code: { text: 'x' } } })
    await world.database.run(sql`
      update fhir.versions set content = '{"id":"' || id || '","language":"' || repeat('x', 17000000) || '"}'
      where type = 'Basic' and id = any(${ids}::text[])`)
    const first = await call('GET', '/Basic/_history?_count=2')
    const next = first.body.link.find(({ relation }) => relation === 'next')?.url.slice(world.base.length) ?? ''
    const second = await call('GET', next.replace('_count=2', '_count=1'))
    const seen = [...first.body.entry, ...second.body.entry].map(({ resource }) => resource.id)
    expect(seen).toEqual(ids.toReversed())
    for (const id of ids) await call('DELETE', `/Basic/${id}`)
  })

  it('the form of a search says in which form it is answered, as its address does', async () => {
    const search = (body: string) =>
      call('POST', '/Patient/_search', { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
    expect((await search('_id=nobody&_pretty=true')).text).toContain('\n  "resourceType"')
    expect((await search('_id=nobody')).text).not.toContain('\n')
    expect((await search('_id=nobody&_format=xml')).status).toBe(406)
    expect((await search('_id=nobody&_format=json')).status).toBe(200)
  })

  it.each([
    ['GET', '/Patient/_search', 'POST, OPTIONS'],
    ['PUT', '/Patient/_history', 'GET, HEAD, OPTIONS'],
    ['GET', '/Patient/$validate', 'POST, OPTIONS'],
    ['GET', '/Patient/nobody/$validate', 'POST, OPTIONS'],
    ['POST', '/Patient/nobody', 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS'],
  ])('%s %s is another method, and no resource that is missing', async (method, path, allow) => {
    const { status, headers, body } = await call(method, path)
    expect([status, headers.get('allow'), body.issue[0]?.code]).toEqual([405, allow, 'not-supported'])
  })

  it('who searches with a slash behind the type is told to leave it out', async () => {
    const { status, body } = await call('GET', '/Patient/?_count=1')
    expect([status, body.issue[0]?.diagnostics]).toEqual([404, expect.stringContaining('leave out the final slash')])
  })

  it('a resource that would fill the index is refused as too costly', async () => {
    const coding = Array.from({ length: 250 }, (_each, index) => ({ system: 'urn:x', code: `c${index}` }))
    const body = { resourceType: 'Observation', status: 'final', code: { coding }, valueCodeableConcept: { coding } }
    const refused = await call('POST', '/Observation', { body })
    expect([refused.status, refused.body.issue]).toEqual([
      422,
      [expect.objectContaining({ code: 'too-costly', diagnostics: expect.stringContaining('code-value-concept') })],
    ])
  })

  it('$validate says what is wrong and stores nothing', async () => {
    const wrong = await call('POST', '/Patient/$validate', { body: patient({ gender: 'M' }) })
    expect(wrong.status).toBe(200)
    expect(wrong.body.issue[0]).toMatchObject({
      severity: 'error',
      code: 'code-invalid',
      expression: ['Patient.gender'],
    })
    const right = await call('POST', '/Patient/$validate', {
      body: { resourceType: 'Parameters', parameter: [{ name: 'resource', resource: patient() }] },
    })
    expect(right.body.issue[0]?.severity).toBe('information')
  })

  it('$validate looks at profile and mode, and says what it did not check', async () => {
    const check = (path: string, body?: object) => call('POST', `/Patient/${path}`, body === undefined ? {} : { body })
    const base = 'http://hl7.org/fhir/StructureDefinition/Patient'
    const other = 'http://example.org/StructureDefinition/national-patient'
    const issuesAt = async (path: string, body?: object) =>
      (await check(path, body)).body.issue.map(({ severity, code }) => `${severity} ${code}`)
    expect(await issuesAt(`$validate?profile=${base}|4.0.1`, patient())).toEqual(['information informational'])
    for (const profile of [other, `${base}|5.0.0`]) {
      const refused = await check(`$validate?profile=${profile}`, patient())
      expect([refused.status, refused.body.issue[0]?.severity]).toEqual([422, 'error'])
    }
    expect(await issuesAt('$validate', patient({ meta: { profile: [base, other] } }))).toEqual([
      'warning not-supported',
    ])
    expect(
      await issuesAt('$validate', {
        resourceType: 'Parameters',
        parameter: [
          { name: 'resource', resource: patient({ gender: 'M' }) },
          { name: 'profile', valueUri: other },
        ],
      }),
    ).toEqual(['error code-invalid', 'error not-supported'])
    expect(await issuesAt('x/$validate?mode=create', patient())).toEqual(['information informational'])
    expect(await issuesAt('x/$validate?mode=update', patient({ id: 'x' }))).toEqual(['information informational'])
    expect(await issuesAt('x/$validate?mode=update', patient({ id: 'y' }))).toEqual(['error value'])
    expect(await issuesAt('x/$validate?mode=delete')).toEqual(['information informational'])
    for (const path of ['$validate?mode=delete', '$validate?mode=profile', '$validate?mode=replace']) {
      expect((await check(path, patient())).status).toBe(400)
    }
    expect((await check('$validate')).status).toBe(400)
  })

  it('$validate in the mode profile looks at what is stored, for who may read it', async () => {
    await call('PUT', '/Patient/profiled', { body: patient({ id: 'profiled' }) })
    const path = '/Patient/profiled/$validate?mode=profile&profile='
    const base = 'http://hl7.org/fhir/StructureDefinition/Patient'
    const valid = 'The resource is valid.'
    expect((await call('POST', `${path}${base}`)).body.issue[0]?.diagnostics).toBe(valid)
    const body = {
      resourceType: 'Parameters',
      parameter: [
        { name: 'mode', valueCode: 'profile' },
        { name: 'profile', valueUri: base },
      ],
    }
    const posted = await call('POST', '/Patient/profiled/$validate', { body })
    expect(posted.body.issue[0]?.diagnostics).toBe(valid)
    expect((await call('POST', `${path}urn:other`)).status).toBe(422)
    expect((await call('POST', path.replace('profiled', 'nobody') + base)).status).toBe(404)
    const as = { patient: 'nobody', scope: 'patient/*.rs' }
    expect((await call('POST', `${path}${base}`, { as })).status).toBe(404)
  })

  it('$everything takes its parameters in the address, in a body, or none', async () => {
    await call('PUT', '/Patient/whole', { body: patient({ id: 'whole' }) })
    for (const name of ['a', 'b']) {
      const subject = { reference: 'Patient/whole' }
      const body = { resourceType: 'Observation', id: `whole-${name}`, status: 'final', code: { text: name }, subject }
      await call('PUT', `/Observation/whole-${name}`, { body })
    }
    const path = '/Patient/whole/$everything'
    const parameters = (...parameter: readonly object[]) => ({ body: { resourceType: 'Parameters', parameter } })
    // Without the log, which fills by itself.
    const as = { roles: ['SYSTEM'], scope: 'system/Patient.rs system/Observation.rs' } as const
    const shown = async (method: string, query = '', options: object = {}) =>
      (await call(method, `${path}${query}`, { as, ...options })).body.entry.map(({ resource }) => resource.id).sort()
    const all = ['whole', 'whole-a', 'whole-b']
    expect(await shown('GET')).toEqual(all)
    expect(await shown('POST')).toEqual(all)
    expect(await shown('POST', '', { body: { resourceType: 'Parameters' } })).toEqual(all)
    expect(await shown('POST', '?_type=Patient')).toEqual(['whole'])
    expect(await shown('POST', '', parameters({ name: '_type', valueCode: 'Observation' }))).toEqual(all.slice(1))
    const both = ['Observation', 'Patient'].map((type) => ({ name: '_type', valueCode: type }))
    expect(await shown('POST', '', parameters(...both))).toEqual(all)
    expect(await shown('POST', '', parameters({ name: '_count', valueInteger: 1 }))).toHaveLength(1)
    const wrong = [{ body: patient() }, parameters({ name: 'start' }), parameters({ valueCode: 'x' })]
    for (const options of wrong) expect((await call('POST', path, options)).status).toBe(400)
  })

  it.each([
    ['GET', '/$nonsense', undefined],
    ['GET', '/Patient/$nonsense', undefined],
    ['GET', '/Patient/whole/$nonsense', undefined],
    ['GET', '/Observation/x/$everything', undefined],
    ['POST', '/$nonsense', patient()],
    ['POST', '/Patient/$nonsense', patient()],
    ['POST', '/Patient/whole/$nonsense', patient()],
    ['POST', '/Observation/x/$everything', patient()],
  ])('%s %s is no operation of this server, and is said to be none', async (method, path, body) => {
    const { status, body: answer } = await call(method, path, body === undefined ? {} : { body })
    expect([status, answer.issue[0]?.code]).toEqual([404, 'not-supported'])
    expect(answer.issue[0]?.diagnostics).toMatch(/no operation \$(nonsense|everything) here/)
  })

  const noType = 'There is no such resource type in R4. Type names begin with a capital letter, such as Patient.'
  const noPatient = 'There is no Patient with this id, or none that you may see.'
  const noId = 'An id has 1 to 64 letters, digits, dots and hyphens. The id in the address is not one.'

  it.each([
    ['POST', '/Patient', '{', 400, 'The body is not JSON. Check quotes, commas and brackets.', undefined],
    ['POST', '/Patient', '[]', 400, 'is not a resource', 'Resource'],
    ['POST', '/Patient', 'null', 400, 'is not a resource', 'Resource'],
    ['POST', '/Patient', '"Patient"', 400, 'is not a resource', 'Resource'],
    [
      'POST',
      '/Patient',
      '{"resourceType":"Patient","__proto__":{}}',
      400,
      'The body may not have a field named __proto__.',
      undefined,
    ],
    [
      'POST',
      '/Patient',
      '{"resourceType":"Patient","active":true,"active":false}',
      400,
      'A field of the body is given more than once.',
      undefined,
    ],
    ['POST', '/Patient', '{"contained":['.repeat(200), 400, 'The body is nested deeper than 100 levels.', undefined],
    ['POST', '/Patient', '{"resourceType":"Observation"}', 400, 'must be Patient, as the address says', 'resourceType'],
    ['POST', '/Nonsense', '{"resourceType":"Nonsense"}', 404, noType, undefined],
    ['POST', '/patient', '{"resourceType":"Patient"}', 404, noType, undefined],
    [
      'POST',
      '/Patient',
      '{"resourceType":"Patient","gender":"M"}',
      422,
      'Use one of these codes: male, female, other, unknown.',
      'Patient.gender',
    ],
    [
      'POST',
      '/Patient',
      '{"resourceType":"Patient","nonsense":1}',
      422,
      'This element does not exist here. Remove it or correct its name.',
      'Patient.nonsense',
    ],
    [
      'POST',
      '/Observation',
      '{"resourceType":"Observation","code":{"text":"x"}}',
      422,
      'status is required here. Add it.',
      'Observation.status',
    ],
    ['PUT', '/Patient/a', '{"resourceType":"Patient","id":"b"}', 400, 'must be the id in the address', 'Patient.id'],
    ['PUT', '/Patient/a', '{"resourceType":"Patient"}', 400, 'must be the id in the address', 'Patient.id'],
    ['PUT', '/Patient/a_b', '{"resourceType":"Patient","id":"a_b"}', 400, noId, undefined],
    ['PUT', `/Patient/${'a'.repeat(65)}`, `{"resourceType":"Patient","id":"${'a'.repeat(65)}"}`, 400, noId, undefined],
    ['GET', '/Patient/%00', undefined, 404, noPatient, undefined],
    ['GET', '/Patient/a/_history/%00', undefined, 404, noPatient, undefined],
    ['GET', '/Patient/a/_history/99999999999999999999', undefined, 404, noPatient, undefined],
    ['GET', '/Nonsense/1', undefined, 404, noType, undefined],
    [
      'GET',
      '/Patient/_history?_count=x',
      undefined,
      400,
      'The parameter _count must be a whole number.',
      'http._count',
    ],
    [
      'GET',
      '/Patient/_history?_since=x',
      undefined,
      400,
      'The parameter _since must be an instant such as 2026-03-04T05:06:07Z.',
      'http._since',
    ],
    [
      'GET',
      '/Patient/_history?_cursor=x',
      undefined,
      400,
      'The parameter _cursor is not one that this server gave.',
      'http._cursor',
    ],
    [
      'GET',
      '/Patient/_history?_at=2024',
      undefined,
      400,
      'The parameter _at is not supported for a history.',
      'http._at',
    ],
    ['GET', '/_history?_list=42', undefined, 400, 'The parameter _list is not supported for a history.', 'http._list'],
    ['DELETE', '/Patient/%00', undefined, 400, noId, undefined],
    [
      'GET',
      '/Patient?identifier=%00',
      undefined,
      400,
      'The parameter identifier holds a NUL character.',
      'http.identifier',
    ],
  ])('%s %s with %s answers %i: %s', async (method, path, body, status, diagnostics, expression) => {
    const answer = await call(method, path, { body })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/fhir+json; charset=utf-8')
    expect(answer.body.resourceType).toBe('OperationOutcome')
    expect(answer.body.issue[0]).toMatchObject({ diagnostics })
    expect(answer.body.issue[0]?.expression).toEqual(expression === undefined ? undefined : [expression])
  })

  it('a body of the longest value that fits is stored, and what is refused for its type is said so', async () => {
    const long = 'x'.repeat(300_000)
    const body = patient({ id: 'long', name: [{ family: long }], identifier: [{ system: 'urn:long', value: long }] })
    expect((await call('PUT', '/Patient/long', { body })).status).toBe(201)
    expect(
      (await call('PUT', `/Patient?identifier=urn:long|${'x'.repeat(500)}`, { body: identified('short') })).status,
    ).toBe(422)
    const xml = await call('POST', '/Patient', {
      body: '<Patient/>',
      headers: { 'content-type': 'application/fhir+xml' },
    })
    expect([xml.status, xml.body.resourceType]).toEqual([415, 'OperationOutcome'])
    const patch = await call('PATCH', '/Patient/long', { body: [] })
    expect(patch.status).toBe(415)
    const sentAs = async (fhirVersion: string) => {
      const headers = { 'content-type': `application/fhir+json; charset=utf-8; fhirVersion=${fhirVersion}` }
      const { status, body: answer } = await call('PUT', '/Basic/versioned', {
        body: { resourceType: 'Basic', id: 'versioned', code: { text: 'x' } },
        headers,
      })
      return status < 300 ? status : [status, answer.issue[0]?.code]
    }
    expect(await sentAs('3.0')).toEqual([415, 'not-supported'])
    expect(await sentAs('4.0')).toBe(201)
  })

  it.each(['', '/'])('a search over types is understood at the base with "%s" behind it', async (slash) => {
    const { status, body } = await call('GET', `${slash}?_type=Patient&_count=1`)
    expect([status, body['type']]).toEqual([200, 'searchset'])
  })

  it('asks for a token, and for a scope', async () => {
    expect((await call('GET', '/Patient/long', { as: null })).status).toBe(401)
    expect(
      (await call('GET', '/Patient/long', { as: { roles: ['SYSTEM'], scope: 'system/Observation.rs' } })).status,
    ).toBe(403)
    const refused = await call('POST', '/Patient', { body: patient(), as: { roles: ['SYSTEM'], scope: 'system/*.rs' } })
    expect([refused.status, refused.body.issue[0]?.code]).toEqual([403, 'forbidden'])
  })
})

describe('the largest body', () => {
  it('is taken to the byte and refused above', async () => {
    await using world = await fhirWorld({ bodyBytesMax: 70_000 })
    const of = (bytes: number) => {
      const empty = '{"resourceType":"Basic","id":"full","code":{"text":""}}'
      return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`)
    }
    expect((await world.call('PUT', '/Basic/full', { body: of(70_000) })).status).toBe(201)
    const refused = await world.call('PUT', '/Basic/full', { body: of(70_001) })
    expect([refused.status, refused.body.resourceType]).toEqual([413, 'OperationOutcome'])
    expect((await world.call('HEAD', '/Basic/full')).headers.get('etag')).toBe('W/"1"')
  })
})
