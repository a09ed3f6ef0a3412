import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditEvent } from '../../../packages/fhir/r4.ts'
import { createValidate } from '../../../packages/fhir/validate/validator.ts'
import { fhirWorld, tokenOf, type FhirWorld, type TestCaller } from '../testing/fhir-world.ts'
import { slowPatient } from '../testing/slow-patient.ts'
import { verifyChains } from './verify-chain.ts'

const admin: TestCaller = { roles: ['ADMIN'], fhirUser: 'Practitioner/admin', scope: 'user/*.cruds' }
const doctor: TestCaller = { roles: ['CLINICIAN'], fhirUser: 'Practitioner/dr-amara', scope: 'user/*.cruds' }
const observation = (patient: string) => ({
  resourceType: 'Observation',
  status: 'final',
  code: { text: 'Zebrafinch' },
  subject: { reference: `Patient/${patient}` },
})

const task = { resourceType: 'Task', id: 'one', status: 'ready', intent: 'order', for: { reference: 'Patient/amina' } }

let world: FhirWorld
beforeAll(async () => {
  world = await fhirWorld()
  await world.call('PUT', '/Patient/amina', { body: { resourceType: 'Patient', id: 'amina' } })
  await world.call('PUT', '/Patient/kofi', { body: { resourceType: 'Patient', id: 'kofi' } })
  await world.call('PUT', '/Organization/central', {
    body: { resourceType: 'Organization', id: 'central', name: 'Central' },
  })
  await world.call('PUT', '/Observation/one', { body: { ...observation('amina'), id: 'one' } })
  await world.call('PUT', '/Task/one', { body: task })
})
afterAll(() => world[Symbol.asyncDispose]())

describe('a request is written down', () => {
  const path = '/Observation/one'
  const entry = (method: string, url: string, resource?: object) => ({ request: { method, url }, resource })
  const asStored = 'mode=profile&profile=http://hl7.org/fhir/StructureDefinition/Patient'
  const matching = (family: string) => ({
    resourceType: 'Parameters',
    parameter: [
      {
        name: 'resource',
        resource: { resourceType: 'Patient', name: [{ family, given: ['Zola'] }], birthDate: '1971-01-07' },
      },
    ],
  })

  it.each<[string, string, string, object | undefined, string[]]>([
    ['a read', 'GET', path, undefined, ['read R 0 amina']],
    ['a version', 'GET', `${path}/_history/1`, undefined, ['vread R 0 amina']],
    ['a history', 'GET', `${path}/_history`, undefined, ['history-instance E 0 amina']],
    ['a search', 'GET', '/Observation?code:text=Zebrafinch', undefined, ['search-type E 0 amina']],
    ['a search of many', 'GET', '/Patient', undefined, ['search-type E 0 amina', 'search-type E 0 kofi']],
    ['a search in vain', 'GET', '/Patient?name=Zebrafinch', undefined, ['search-type E 0 ']],
    [
      'a search with an operation behind it',
      'GET',
      '/Patient?_id=amina&x=/$validate',
      undefined,
      ['search-type E 0 amina'],
    ],
    [
      'everything with another operation behind it',
      'GET',
      '/Patient/kofi/$everything?x=/$validate',
      undefined,
      ['operation E 0 kofi'],
    ],
    ['everything', 'GET', '/Patient/amina/$everything', undefined, ['operation E 0 amina']],
    ['a compartment', 'GET', '/Patient/amina/Observation', undefined, ['search-type E 0 amina']],
    ['an update', 'PUT', path, { ...observation('amina'), id: 'one' }, ['update U 0 amina']],
    ['what is missing', 'GET', '/Observation/never', undefined, ['read R 4 ']],
    ['what is wrong', 'PUT', path, { resourceType: 'Observation', id: 'one' }, ['update U 4 amina']],
    ['a create that is wrong', 'POST', '/Observation', { resourceType: 'Observation' }, ['create C 4 ']],
    [
      'a deletion of which several may be meant',
      'DELETE',
      '/Patient?_lastUpdated=gt2000-01-01',
      undefined,
      ['delete D 4 '],
    ],
    [
      'an update of which several may be meant',
      'PUT',
      '/Patient?_lastUpdated=gt2000-01-01',
      { resourceType: 'Patient' },
      ['update U 4 '],
    ],
    ['a deletion of nothing', 'DELETE', '/Patient?name=Zebrafinch', undefined, ['delete D 0 ']],
    ['a deletion', 'DELETE', path, undefined, ['delete D 0 amina']],
    ['a read of what is in no compartment', 'GET', '/Task/one', undefined, ['read R 0 amina']],
    [
      'an update of it',
      'PUT',
      '/Task/one',
      { ...task, for: { reference: 'Patient/kofi' } },
      ['update U 0 amina', 'update U 0 kofi'],
    ],
    ['its first version', 'GET', '/Task/one/_history/1', undefined, ['vread R 0 amina']],
    ['a search for it', 'GET', '/Task?patient=kofi', undefined, ['search-type E 0 kofi']],
    ['its deletion', 'DELETE', '/Task/one', undefined, ['delete D 0 kofi']],
    ['a match in vain', 'POST', '/Patient/$match', matching('Zebrafinch'), ['operation E 0 ']],
    ['who validates what is brought along', 'POST', '/Patient/$validate', { resourceType: 'Patient' }, []],
    ['the same for a resource that is there', 'POST', '/Patient/amina/$validate', { resourceType: 'Patient' }, []],
    [
      'who validates what is stored',
      'POST',
      `/Patient/amina/$validate?${asStored}`,
      undefined,
      ['operation E 0 amina'],
    ],
    [
      'who would validate what is missing',
      'POST',
      `/Patient/never/$validate?${asStored}`,
      undefined,
      ['operation E 4 '],
    ],
    [
      'an operation of terminology',
      'GET',
      '/ValueSet/$expand?url=http://hl7.org/fhir/ValueSet/administrative-gender',
      undefined,
      [],
    ],
    ['reference data, which tells of nobody', 'GET', '/Organization/central', undefined, []],
    [
      'each entry of a batch',
      'POST',
      '',
      {
        resourceType: 'Bundle',
        type: 'batch',
        entry: [
          entry('GET', 'Patient/amina'),
          entry('GET', 'Patient/never'),
          entry('POST', 'Observation', observation('kofi')),
        ],
      },
      ['create C 0 kofi', 'read R 0 amina', 'read R 4 '],
    ],
    ['a bundle that is refused', 'POST', '', { resourceType: 'Bundle', type: 'collection' }, ['operation E 4 ']],
  ])('%s', async (_what, method, at, body, expected) => {
    const before = new Set((await log()).map(({ id }) => id))
    await world.call(method, at, { as: doctor, ...(body === undefined ? {} : { body }) })
    const events = (await log()).filter(({ id }) => !before.has(id))
    expect(events.map(printed).sort()).toEqual(expected)
    for (const { agent } of events) expect(agent[2]?.who).toEqual({ reference: 'Practitioner/dr-amara' })
  })

  it('each entry of a batch, also where the database takes too long for one of them', async () => {
    await world.call('PUT', '/Patient/slow', { body: { resourceType: 'Patient', id: 'slow' } })
    await using _slow = await slowPatient(world.database)
    const before = new Set((await log()).map(({ id }) => id))
    const data = Buffer.from('[{"op":"add","path":"/active","value":true}]').toString('base64')
    const patch = { resourceType: 'Binary', contentType: 'application/json-patch+json', data }
    const entries = [entry('PATCH', 'Patient/slow', patch), entry('POST', 'Observation', observation('kofi'))]
    await world.call('POST', '', { as: doctor, body: { resourceType: 'Bundle', type: 'batch', entry: entries } })
    const events = (await log()).filter(({ id }) => !before.has(id))
    expect(events.map(printed).sort()).toEqual(['create C 0 kofi', 'patch U 8 slow'])
  })

  it.each([
    ['each who belongs to it', 999, ['read R 0 amina']],
    ['nobody in particular, where it belongs to a crowd', 1_000, ['read R 0 ']],
  ])('of a group, telling of %s', async (_who, others, expected) => {
    const people = ['amina', ...Array.from({ length: others }, (_, number) => `nobody-${number}`)]
    const member = people.map((id) => ({ entity: { reference: `Patient/${id}` } }))
    const group = { resourceType: 'Group', id: 'study', type: 'person', actual: true, member }
    await world.call('PUT', '/Group/study', { body: group })
    const before = new Set((await log()).map(({ id }) => id))
    await world.call('GET', '/Group/study', { as: doctor })
    expect((await log()).filter(({ id }) => !before.has(id)).map(printed)).toEqual(expected)
  })

  it('everything, with what a body asks for as with what an address does', async () => {
    const parameters = {
      resourceType: 'Parameters',
      parameter: [
        { name: '_type', valueCode: 'Patient' },
        { name: '_type', valueCode: 'Observation' },
        { name: 'start', valueDate: '2024-01-01' },
      ],
    }
    const unread = { ...parameters, parameter: [{ name: 'start', valuePeriod: {} }] }
    const at = 'Patient/amina/$everything'
    const batch = (resource: object) => ({
      ...{ resourceType: 'Bundle', type: 'batch', entry: [entry('POST', `${at}?_count=5`, resource)] },
    })
    const asked = `${at}?_count=5&_type=Patient,Observation&start=*`
    for (const [method, address, body, expected] of [
      ['GET', `/${at}?_count=5&_type=Patient,Observation&start=2024-01-01`, undefined, asked],
      ['POST', `/${at}?_count=5`, parameters, asked],
      ['POST', '', batch(parameters), asked],
      ['POST', `/${at}?_count=5`, unread, `${at}?_count=5`],
      ['POST', '', batch(unread), `${at}?_count=5`],
    ] as const) {
      const before = new Set((await log()).map(({ id }) => id))
      await world.call(method, address, { as: doctor, ...(body === undefined ? {} : { body }) })
      const events = (await log()).filter(({ id }) => !before.has(id))
      expect(events.map(askedOf)).toEqual([expected])
    }
  })

  /** A form that is not UTF-8, and is refused for that. */
  const sendBytes = (at: string, body: Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
    fetch(`${world.base}${at}`, {
      ...{ method: 'POST', body },
      headers: { ...headers, authorization: `Bearer ${tokenOf(doctor)}` },
    })

  it.each([
    ['/Observation', 'code:text=Zebrafinch&_count=5', 'Observation?code:text=*&_count=5'],
    ['/Patient', 'name=Zebrafinch', 'Patient?name=*'],
    // Where somebody was, though reference data is found or nothing.
    [
      '/Organization',
      '_has:Encounter:service-provider:patient=amina',
      'Organization?_has:Encounter:service-provider:patient=*',
    ],
    [
      '/Organization',
      'x=?&_has:Encounter:service-provider:patient=amina',
      'Organization?x=*&_has:Encounter:service-provider:patient=*',
    ],
    ['', '_type=Observation&_lastUpdated=gt2000-01-01', '?_type=Observation&_lastUpdated=gt2000-01-01'],
  ])('a search of %s by form, and by an address in other letters, as by address', async (at, query, expected) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const inOtherLetters = at.replaceAll(/[aeio]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
    const baseInOtherLetters = world.base.replace('/fhir', '/%66hir')
    const ways = [
      () => world.call('GET', `${at}?${query}`, { as: doctor }),
      () => world.call('GET', `${inOtherLetters}?${query}`, { as: doctor }),
      () => fetch(`${baseInOtherLetters}${at}?${query}`, { headers: { authorization: `Bearer ${tokenOf(doctor)}` } }),
      () => world.call('POST', `${at}/_search`, { as: doctor, body: query, headers: form }),
      () => world.call('POST', `${at}/_search?${query}`, { as: doctor, body: '', headers: form }),
      () => sendBytes(`${at}/_search?${query}`, Buffer.from([0xff]), form),
    ]
    for (const way of ways) {
      const before = new Set((await log()).map(({ id }) => id))
      await way()
      const events = (await log()).filter(({ id }) => !before.has(id))
      expect(events.map(askedOf)).toEqual([expected])
    }
  })

  it('what a conditional create asks for, though reference data is found', async () => {
    const stay = { resourceType: 'Encounter', id: 'stay', status: 'finished', class: { code: 'AMB' } }
    const whose = { subject: { reference: 'Patient/amina' }, serviceProvider: { reference: 'Organization/central' } }
    await world.call('PUT', '/Encounter/stay', { body: { ...stay, ...whose } })
    const criteria = '_has:Encounter:service-provider:patient=amina'
    const resource = { resourceType: 'Organization', name: 'Central' }
    const post = (ifNoneExist: string) =>
      world.call('POST', '/Organization', { as: doctor, body: resource, headers: { 'if-none-exist': ifNoneExist } })
    const conditional = { resource, request: { method: 'POST', url: 'Organization', ifNoneExist: criteria } }
    const inBundle = (type: string) =>
      world.call('POST', '', { as: doctor, body: { resourceType: 'Bundle', type, entry: [conditional] } })
    for (const way of [
      () => post(criteria),
      () => post(`Organization?${criteria}`),
      () => inBundle('batch'),
      () => inBundle('transaction'),
    ]) {
      const before = new Set((await log()).map(({ id }) => id))
      expect((await way()).status).toBe(200)
      const events = (await log()).filter(({ id }) => !before.has(id))
      expect(events.map(askedOf)).toEqual(['Organization?_has:Encounter:service-provider:patient=*'])
    }
  })

  it('whom a conditional reference was to find, whatever was written, and also who was found', async () => {
    const told = { system: 'urn:audit', value: 'conditional' }
    await world.call('PUT', '/Patient/sought', {
      body: { resourceType: 'Patient', id: 'sought', identifier: [told], name: [{ family: 'Zebrafinch' }] },
    })
    const about = (reference: string) => ({
      ...{ resourceType: 'Organization', name: 'Made to ask' },
      extension: [{ url: 'urn:x', valueReference: { reference } }],
    })
    const send = async (...references: readonly string[]) => {
      const entries = references.map((reference) => entry('POST', 'Organization', about(reference)))
      const body = { resourceType: 'Bundle', type: 'transaction', entry: entries }
      const before = new Set((await log()).map(({ id }) => id))
      const { status } = await world.call('POST', '', { as: doctor, body })
      const events = (await log()).filter(({ id }) => !before.has(id))
      return { status, told: events.map((event) => [askedOf(event), patientOf(event)]) }
    }
    for (const criteria of ['identifier=urn:audit|conditional', 'family=Zebrafinch']) {
      expect(await send(`Patient?${criteria}`, `Patient?${criteria}`)).toEqual({
        status: 200,
        told: [[`Patient?${criteria.split('=')[0]}=*`, 'Patient/sought']],
      })
    }
    // Of reference data nothing is told.
    expect(await send('Organization?name=Central')).toEqual({ status: 200, told: [] })
  })

  describe('a transaction that was refused', () => {
    const sought = { system: 'urn:audit', value: 'refused' }
    beforeAll(() =>
      world.call('PUT', '/Patient/refused', { body: { resourceType: 'Patient', id: 'refused', identifier: [sought] } }),
    )
    const about = (reference: string) => ({
      ...{ resourceType: 'Organization', name: 'Made to ask' },
      extension: [{ url: 'urn:x', valueReference: { reference } }],
    })
    const wrong = entry('POST', 'Organization', { resourceType: 'Organization', name: 7 })
    const asking = (criteria: string) => entry('POST', 'Organization', about(`Patient?${criteria}`))
    const beside = { resourceType: 'Patient', identifier: [sought] }
    const update = { ...observation('amina'), id: 'one' }

    it.each<[string, object[], number, (string | undefined)[][]]>([
      [
        'for what else is in it: what its references asked, and who was found',
        [asking('identifier=urn:audit|refused'), wrong],
        422,
        [['search-type', 'Patient?identifier=*', 'Patient/refused']],
      ],
      [
        'because a reference finds nobody: what it asked',
        [asking('identifier=urn:audit|nobody')],
        400,
        [['search-type', 'Patient?identifier=*', undefined]],
      ],
      [
        'because one of them does: whom the others found',
        [asking('identifier=urn:audit|refused'), asking('identifier=urn:audit|nobody')],
        400,
        [
          ['search-type', 'Patient?identifier=*', 'Patient/refused'],
          ['search-type', 'Patient?identifier=*', undefined],
        ],
      ],
      [
        'because several match: what it asked',
        [asking('_lastUpdated=gt2000-01-01')],
        412,
        [['search-type', 'Patient?_lastUpdated=gt2000-01-01', undefined]],
      ],
      [
        'for what else is in it: what a create asked first',
        [
          { resource: beside, request: { method: 'POST', url: 'Patient', ifNoneExist: 'identifier=urn:audit|x' } },
          wrong,
        ],
        422,
        [['create', 'Patient?identifier=*', undefined]],
      ],
      [
        'for the version of what it names: whose that is',
        [
          { resource: update, request: { method: 'PUT', url: 'Observation/one', ifMatch: 'W/"999"' } },
          asking('_id=amina'),
        ],
        412,
        [
          ['search-type', 'Patient?_id=amina', 'Patient/amina'],
          ['update', '', 'Patient/amina'],
        ],
      ],
      ['for what it would only have made: that it was refused', [wrong], 422, []],
    ])('%s', async (_why, entries, status, told) => {
      const before = new Set((await log()).map(({ id }) => id))
      const body = { resourceType: 'Bundle', type: 'transaction', entry: entries }
      expect((await world.call('POST', '', { as: doctor, body })).status).toBe(status)
      const events = (await log()).filter(({ id }) => !before.has(id))
      expect(events.map(({ outcome }) => outcome)).toEqual(events.map(() => '4'))
      const parts = events.map((event) => [event.subtype?.[0]?.code, askedOf(event), patientOf(event)])
      expect(parts.filter(([kind]) => kind !== 'operation')).toEqual(expect.arrayContaining(told))
      expect(parts.length).toBe(told.length + 1)
    })
  })

  it('a form, without its long values: thousands of them may wait', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const ids = (count: number) => Array.from({ length: count }, (_one, index) => `id-${index}`).join(',')
    const body = `_id=${ids(1_000)}&patient=${ids(3)}`
    await world.call('POST', '/Observation/_search', { as: doctor, body, headers: form })
    const [event] = await log()
    expect(event === undefined ? '' : askedOf(event)).toBe(`Observation?_id=*&patient=${ids(3)}`)
  })

  it('as valid AuditEvents without a word of what was read, in a chain that holds', async () => {
    const events = await log()
    const validate = createValidate(world.deps.definitions)
    expect(events.flatMap((event) => validate(event))).toEqual([])
    expect(JSON.stringify(events)).not.toContain('Zebrafinch')
    expect(await verifyChains(world.database)).toMatchObject([{ is: 'whole' }])
  })

  it('whoever it was that had no right, but not who had no token', async () => {
    const before = (await log()).length
    await world.call('GET', '/Patient/amina', { as: null })
    expect(await log()).toHaveLength(before)
    await world.call('GET', '/Patient/amina', { as: { ...doctor, scope: 'openid' } })
    const [refused] = await log()
    expect(refused).toMatchObject({ outcome: '4', outcomeDesc: 'insufficient_scope', action: 'R' })
  })
})

describe('the log', () => {
  it('is read by administrators and programs', async () => {
    for (const as of [admin, { roles: [], scope: 'system/*.read' } as const]) {
      const { status, body } = await world.call('GET', '/AuditEvent?patient=amina', { as })
      expect([status, body.total > 0]).toEqual([200, true])
    }
    expect((await world.call('GET', '/AuditEvent', { as: doctor })).status).toBe(403)
  })

  it('is seen by nobody else on any other road', async () => {
    const roads = [
      '/Patient/amina/$everything?_count=1000',
      '/Patient/amina/*?_count=1000',
      '/Patient?_revinclude=AuditEvent:patient',
      '/Patient?_revinclude=*',
      '/_history?_count=1000',
      '?_lastUpdated=gt2000-01-01&_count=1000',
    ]
    for (const as of [doctor, { ...doctor, patient: 'amina', scope: 'patient/*.cruds' }]) {
      for (const road of roads) {
        const { status, text } = await world.call('GET', road, { as })
        expect([status, text.includes('"AuditEvent"')]).toEqual([200, false])
      }
      expect((await world.call('GET', '/Patient?_has:AuditEvent:patient:action=R', { as })).body.total).toBe(0)
    }
  })

  it('does not grow by an event that it will not take', async () => {
    const before = (await log()).length
    const program: TestCaller = { roles: ['SYSTEM'], scope: 'system/*.cruds' }
    const refused = await world.call('POST', '/AuditEvent', { as: program, body: { resourceType: 'AuditEvent' } })
    expect(refused.status).toBe(422)
    expect(await log()).toHaveLength(before)
  })

  it('shows administrators whether it is whole, and nobody else', async () => {
    const api = (path: string, as: TestCaller) =>
      fetch(new URL(path, world.base), { headers: { authorization: `Bearer ${tokenOf(as)}` } })
    const { chains } = (await (await api('/api/audit/chains', admin)).json()) as {
      chains: { chain: string; length: number }[]
    }
    expect(chains).toMatchObject([{ length: expect.any(Number) }])
    const path = `/api/audit/chains/${chains[0]?.chain}/verify`
    expect(await (await api(path, admin)).json()).toMatchObject({ is: 'whole' })
    expect((await api(path, doctor)).status).toBe(403)
    // An app that an administrator has let in for something else.
    for (const scope of ['openid', 'patient/*.rs', 'user/Patient.rs'])
      expect((await api(path, { ...admin, scope })).status).toBe(403)
    expect((await api('/api/audit/chains/00000000-0000-4000-8000-000000000000/verify', admin)).status).toBe(404)
  })

  it('says that the role is missing where the scope is not', async () => {
    const said = async (method: string, as: TestCaller, body?: object) =>
      (await world.call(method, '/AuditEvent', { as, ...(body === undefined ? {} : { body }) })).body.issue[0]
        ?.diagnostics
    expect(await said('GET', { ...doctor, scope: 'user/*.cruds' })).toContain('the role ADMIN')
    const program: TestCaller = { roles: ['CLINICIAN'], scope: 'system/AuditEvent.cruds' }
    expect(await said('POST', program, { resourceType: 'AuditEvent' })).toContain('the role SYSTEM or ADMIN')
  })

  it.each([admin, doctor, { roles: ['SYSTEM'], scope: 'system/*.cruds' } satisfies TestCaller])(
    'is changed by nobody: %j',
    async (as) => {
      const [event] = await log()
      const path = `/AuditEvent/${event?.id}`
      const patch = {
        body: [{ op: 'remove', path: '/entity' }],
        headers: { 'content-type': 'application/json-patch+json' },
      }
      const put = await world.call('PUT', path, { as, body: event })
      expect([put.status, put.text.includes('written by Corridor only')]).toEqual([403, true])
      expect((await world.call('PATCH', path, { as, ...patch })).status).toBe(403)
      expect((await world.call('DELETE', path, { as })).status).toBe(403)
      expect((await world.call('DELETE', '/AuditEvent?action=R', { as })).status).toBe(403)
      const entry = [{ request: { method: 'DELETE', url: path.slice(1) } }]
      const bundle = { resourceType: 'Bundle', type: 'transaction', entry }
      expect((await world.call('POST', '', { as, body: bundle })).status).toBe(403)
      expect((await world.call('GET', path)).body).toEqual(event)
    },
  )
})

/** All of it, the newest first, once everything is written. */
async function log(): Promise<AuditEvent[]> {
  await world.deps.auditor.drain()
  const rows = await world.deps.engine.search(
    {
      type: 'AuditEvent',
      query: '_sort=-_lastUpdated,-date&_count=1000',
      access: { of: () => 'unrestricted' },
      isStrict: true,
      base: world.base,
    },
    world.database,
  )
  return rows.entries.map(({ content }) => JSON.parse(content) as AuditEvent)
}

const patientOf = ({ entity = [] }: AuditEvent): string | undefined =>
  entity.find(({ role }) => role?.code === '1')?.what?.reference

function askedOf({ entity = [] }: AuditEvent): string {
  const query = entity.find((one) => one.query !== undefined)?.query ?? ''
  return Buffer.from(query, 'base64').toString()
}

function printed({ subtype, action, outcome, entity = [] }: AuditEvent): string {
  const patient = entity.find(({ role }) => role?.code === '1')?.what?.reference?.slice('Patient/'.length) ?? ''
  return [subtype?.[0]?.code, action, outcome, patient].join(' ')
}
