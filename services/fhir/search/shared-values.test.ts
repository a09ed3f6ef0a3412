import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { fullAccess, type AccessConditions } from '../scopes/access.ts'
import type { Change } from '../store/change.ts'
import { createIndexOf, unsharedIndex } from '../store/index-rows.ts'
import { sharedParameters } from '../store/shared-parameters.ts'
import { SharedSets } from '../store/shared-sets.ts'
import { writeAll } from '../store/write.ts'
import type { SearchPage } from './engine.ts'
import { base, queryOfLink, searchWorld, type SearchWorld } from './testing/search-world.ts'
import { auditEvents, beside } from './testing/audit-log.ts'

/** How the rows of AuditEvents may lie, and how conditions on them are answered; what is found is always the same. */
const ways = [
  { name: 'every event has its own rows', isShared: () => false, setsMax: 500 },
  { name: 'events share their values', isShared: () => true, setsMax: 500 },
  { name: 'some events are from before', isShared: (number: number) => number % 3 > 0, setsMax: 500 },
  { name: 'some are from before and all are too many', isShared: (number: number) => number % 3 > 0, setsMax: 0 },
] as const

const system = 'http://terminology.hl7.org/CodeSystem/audit-event-type'
const profile = 'http://example.org/profiles/audit'

const ofParameter: Readonly<Record<string, readonly string[]>> = {
  type: [`=rest`, `=${system}|rest`, `=|rest`, `=${system}|`, `=none`, ':not=rest', `:text=restful`, '=rest,object'],
  subtype: ['=create', '=create,read', '&subtype=vread', ':not=create', ':text=reads', ':not=create,read,vread'],
  action: ['=C', '=C,U', ':not=C', ':in=http://hl7.org/fhir/ValueSet/audit-event-action', '=Z', ':not=Z'],
  outcome: ['=8', ':not=0', ':not-in=http://hl7.org/fhir/ValueSet/audit-event-outcome', '=0&action=C'],
  site: ['=ward-3', ':not=ward-3', '=|ward-3'],
  _profile: [`=${profile}/read`, `:below=${profile}`, `:above=${profile}/read/fine`, `=${profile}`],
  _security: ['=urn:labels|secret', ':not=urn:labels|secret', ':text=top'],
  'agent-name': ['=zola', ':contains=mar', ':exact=Zola Amara', ':exact=zola amara', '=zola,kofi'],
  'agent-role': ['=urn:role|doctor', ':not=urn:role|doctor', ':text=physician', '=urn:role|'],
  altid: ['=u1', ':not=u1', '=u1,u2'],
  address: ['=10.0.0.1', '=10.', ':contains=0.2', ':exact=10.0.0.1'],
  agent: [
    ':identifier=CENTRAL\\|HIS',
    ':identifier=urn:f|rural',
    '=Practitioner/amara',
    ':identifier=rural,CENTRAL\\|HIS',
  ],
  source: [':identifier=corridor', '=Device/gateway', ':identifier=urn:none|x'],
  'entity-type': ['=1', '=2&entity-type=1', ':not=1', ':text=person'],
  'entity-role': ['=1', ':not=4', '=1,4'],
}

const searches = [
  ...Object.entries(ofParameter).flatMap(([code, ends]) => ends.map((end) => `AuditEvent?${code}${end}`)),
  ...Object.keys(ofParameter).flatMap((code) => [
    `AuditEvent?${code}:missing=true`,
    `AuditEvent?${code}:missing=false`,
    `AuditEvent?_sort=${code}`,
    `AuditEvent?_sort=-${code},-_lastUpdated`,
    `AuditEvent?action=C,R&_sort=${code},_id`,
  ]),
  'AuditEvent?patient=amina&action=C&type=rest',
  'AuditEvent?patient=amina&date=ge2024-05-03&type=rest&_sort=-date',
  'AuditEvent?action=R&_sort=-_lastUpdated&_total=accurate',
  'AuditEvent?agent.name=Zola&action=R',
  'AuditEvent?_tag=urn:ids|e3&outcome=0',
  'Patient?_has:AuditEvent:patient:action=D',
  'Patient?_has:AuditEvent:entity:agent:identifier=urn:f|rural',
  'Patient?_has:AuditEvent:patient:action:not=R',
  'Practitioner?_has:AuditEvent:agent:altid=u1',
  'Provenance?target:AuditEvent.action=D',
  'Provenance?target:AuditEvent.action:not=D',
  'Provenance?target:AuditEvent.agent-name=zola',
  'Provenance?target:AuditEvent.agent:identifier=urn:f|rural',
  `?_profile=${profile}/read`,
  `?_profile:below=${profile}&_sort=-_profile`,
  `?_type=Patient,AuditEvent&_profile:missing=true`,
  `?_type=Patient,AuditEvent&_security=urn:labels|secret`,
  `?_type=AuditEvent,Provenance&_sort=_security,-_profile`,
  'AuditEvent?action=C&_include=AuditEvent:agent&_include=AuditEvent:entity',
  'Patient?_revinclude=AuditEvent:patient',
]

describe('what AuditEvents have in common', () => {
  const worlds: SearchWorld[] = []
  beforeAll(async () => {
    for (const { isShared, setsMax } of ways) worlds.push(await worldOf(isShared, setsMax))
  })
  afterAll(() => Promise.all(worlds.map((world) => world[Symbol.asyncDispose]())))

  const inEach = <T>(work: (world: SearchWorld) => Promise<T>) => Promise.all(worlds.map(work))

  it.each(searches)('%s finds the same however it is kept', async (search) => {
    const [own = [], ...others] = await inEach((world) => pagesOf(search, world))
    for (const [index, other] of others.entries()) expect(other, ways[index + 1]?.name).toEqual(own)
  })

  it('the searches say something: all but a few find some and not all', async () => {
    const [, world] = worlds
    if (world === undefined) throw new Error('there is no world')
    const telling: string[] = []
    for (const search of searches) {
      const found = (await pagesOf(search, world)).length
      if (found > 0 && (found < auditEvents.length || search.includes('_sort'))) telling.push(search)
    }
    expect(telling.length / searches.length).toBeGreaterThan(0.85)
  })

  it.each([
    'action=C',
    'agent:identifier=CENTRAL\\|HIS&action:not=C',
    '_profile:missing=true',
    'agent-name:contains=mar',
  ])('a scope with the query %s lets the same be seen', async (query) => {
    const access: AccessConditions = { of: (type) => (type === 'AuditEvent' ? [{ query }] : 'unrestricted') }
    const [own, ...others] = await inEach((world) => world.find('AuditEvent?outcome=0', { access }))
    expect(own?.length).toBeGreaterThan(0)
    for (const other of others) expect(other).toEqual(own)
  })

  it('belongs to the same patient', async () => {
    const compartment = { type: 'Patient', id: 'amina' }
    const [own, ...others] = await inEach((world) => world.find('AuditEvent?action=C,R', { compartment }))
    expect(own?.length).toBeGreaterThan(0)
    for (const other of others) expect(other).toEqual(own)
  })

  it('is kept once', async () => {
    const [apart, together] = await inEach((world) =>
      world.database.one<{ tokens: number; sets: number }>(sql`
        select (select count(*)::integer from fhir.tokens) as tokens,
          (select count(distinct shared_key)::integer from fhir.resources) as sets`),
    )
    expect(apart?.sets).toBe(0)
    expect(together?.sets).toBeGreaterThan(2)
    expect(together?.sets).toBeLessThan(auditEvents.length)
    expect(together?.tokens).toBeLessThan((apart?.tokens ?? 0) / 2)
  })

  it('an event that is changed or deleted is found by what it says now', async () => {
    await inEach(async (world) => {
      const [first] = auditEvents
      if (first === undefined) throw new Error('there is no event')
      const changed = { ...first, id: 'changed', action: 'E', outcome: '12' }
      await world.put(changed)
      expect(await world.find('AuditEvent?outcome=12')).toEqual(['AuditEvent/changed'])
      await world.put({ ...changed, outcome: '4' })
      expect(await world.find('AuditEvent?outcome=12')).toEqual([])
      expect(await world.find('AuditEvent?outcome=4&action=E')).toEqual(['AuditEvent/changed'])
      await world.remove('AuditEvent', 'changed')
      expect(await world.find('AuditEvent?outcome=4&action=E')).toEqual([])
      expect(await world.find('AuditEvent?_id=changed&outcome:missing=true')).toEqual([])
    })
  })

  it('covers parameters of AuditEvent, of kinds that can be shared, and all of them are searched here', () => {
    const [world] = worlds
    for (const name of sharedParameters('AuditEvent')) {
      const [code = '', suffix] = name.split(':')
      const parameter = world?.definitions.parameter('AuditEvent', code)
      const kinds = suffix === 'identifier' ? ['reference'] : ['token', 'string', 'uri']
      expect(kinds).toContain(parameter?.type)
      expect(Object.keys(ofParameter)).toContain(code)
      expect(['identifier', '_tag', '_id']).not.toContain(name)
    }
  })
})

async function worldOf(isShared: (number: number) => boolean, setsMax: number): Promise<SearchWorld> {
  const world = await searchWorld({ setsMax })
  const { database, engine, clock, definitions } = world
  const indexOf = createIndexOf(definitions, { ownBases: [base] })
  const sets = new SharedSets({ clock })
  await world.put(...beside)
  for (const [number, { id, ...resource }] of auditEvents.entries()) {
    await clock.advance(1_000)
    const index = indexOf('AuditEvent', resource)
    const change: Change = {
      ...{ method: 'POST', type: 'AuditEvent', access: fullAccess },
      target: { kind: 'id', id, mayCreate: true, isNewId: true },
      body: { resource, index: isShared(number) ? index : unsharedIndex(index) },
    }
    await database.transaction((tx) => writeAll([change], tx, { engine, clock, sets }))
  }
  return world
}

/** All pages in their order, with what is included. */
async function pagesOf(search: string, world: SearchWorld): Promise<string[]> {
  const [type, query] = search.split('?')
  const found: string[] = []
  for (let next: string | undefined = `${query}&_count=8`; next !== undefined;) {
    const page: SearchPage = await world.page(`${type}?${next}`)
    found.push(...page.entries.map((entry) => `${entry.type}/${entry.id} ${entry.mode}`), ...totalOf(page))
    next = queryOfLink(page, 'next')
  }
  return found
}

const totalOf = ({ total }: SearchPage) => (total === undefined ? [] : [`of ${total}`])
