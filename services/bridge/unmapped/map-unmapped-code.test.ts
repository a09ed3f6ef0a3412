import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemIds } from '../../../packages/clock/ids.ts'
import type { ConceptMap, Resource } from '../../../packages/fhir/r4.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { patientClock } from '../../../packages/testkit/patient-clock.ts'
import { unavailableFhirStore } from '../../../ports/fhir-store/unavailable-fhir-store.ts'
import { mapUnmappedCode, type CodeMeaning } from './map-unmapped-code.ts'
import type { AdminDeps } from '../routes/deps.ts'
import { claimCode, countRerun, findUnmappedCode } from '../store/unmapped-codes.ts'
import { openBridgeDatabase } from '../testing/bridge-database.ts'

let world: Awaited<ReturnType<typeof openBridgeDatabase>>
beforeAll(async () => {
  world = await openBridgeDatabase()
})
afterAll(() => world.close())

/** What the store was given, as the code that it means. */
let written: (string | undefined)[] = []
let ran: string[][] = []
let id = ''
beforeEach(async () => {
  ;[written, ran, id] = [[], [], await added('HIS')]
})

const key = () => `GLU-${systemIds.uuid()}`
let code = ''

async function added(application: string, of = key()): Promise<string> {
  code = of
  const fresh = systemIds.uuid()
  await world.database
    .run(sql`insert into bridge.unmapped_codes (id, sending_application, sending_facility, target, system,
      code, path, uses, first_seen_at, last_seen_at)
    values (${fresh}, ${application}, 'CENTRAL', 'http://loinc.org', 'urn:local', ${of}, 'OBX-3', 1, now(), now())`)
  const message = `of ${application} ${of}`
  await world.database.run(sql`insert into bridge.unmapped_uses values (${fresh}, ${message})`)
  await world.database.run(sql`insert into bridge.raw_messages (transaction_id, channel_id, message_type, control_id,
      sending_application, sending_facility, patient_keys, peer, received_at, raw)
    values (${message}, 'oru', 'ORU^R01', '1', ${application}, 'CENTRAL', '{}', '', now(), '')`)
  return fresh
}

const stored: AdminDeps['store'] = {
  ...unavailableFhirStore,
  async updateMatching<T extends Resource>(resource: T) {
    // Sound: nothing else is written here.
    written.push((resource as unknown as ConceptMap).group?.[0]?.element[0]?.target?.[0]?.code)
    return { resource: { ...resource, id: 'map' }, outcome: 'updated' as const }
  },
}

const map = (meaning: CodeMeaning, { store = stored, item = id } = {}) => {
  const retries = {
    rerun: async (ids: readonly string[]) => {
      ran.push([...ids])
      return ids.length
    },
  }
  const deps = {
    database: world.database,
    store,
    retries,
    terms: { change: async () => {} },
    codeReruns: { add: async () => {} },
    clock: patientClock,
  }
  // Sound: mapping a code needs no more of them.
  return mapUnmappedCode(item, meaning, 'admin', { ...deps, ids: systemIds } as unknown as AdminDeps)
}

const state = async (item = id) => (await findUnmappedCode(item, world.database))?.mapped_code

describe('what a code means', () => {
  it('is written once: whoever comes second is refused, and nothing of theirs is kept', async () => {
    expect(await map({ code: '718-7' })).toMatchObject({ rerun: 1, item: { mapped_code: '718-7' } })
    await expect(map({ code: '15074-8' })).rejects.toMatchObject({ kind: 'conflict', code: 'ALREADY_MAPPED' })
    expect([written, await state(), ran.length]).toEqual([['718-7'], '718-7', 1])
  })

  it('is written by one of two who say it at the same moment', async () => {
    const both = await Promise.allSettled([map({ code: '718-7' }), map({ code: '15074-8' })])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(written).toEqual([await state()])
  })

  it('stays open when the store is away, and can be said again at once', async () => {
    const store = unavailableFhirStore
    await expect(map({ code: '718-7' }, { store })).rejects.toMatchObject({ kind: 'unavailable' })
    expect([await state(), ran]).toEqual([null, []])
    await map({ code: '718-7' })
    expect(await state()).toBe('718-7')
  })

  it('is said by nobody while somebody else says it, and by the next one when they died over it', async () => {
    const at = patientClock.now()
    const dead = { id, by: systemIds.uuid(), replaces: undefined, at }
    await claimCode({ ...dead, until: new Date(at.getTime() + 60_000) }, world.database)
    await expect(map({ code: '718-7' })).rejects.toMatchObject({ kind: 'conflict', code: 'BEING_MAPPED' })
    expect(written).toEqual([])
    await world.database.run(sql`update bridge.unmapped_codes set claimed_until = ${at} where id = ${id}`)
    await map({ code: '718-7' })
    expect(await state()).toBe('718-7')
  })

  it('is changed by naming what it replaces, and only that', async () => {
    await map({ code: '718-7' })
    await map({ code: '15074-8', replaces: '718-7' })
    await expect(map({ code: '2823-3', replaces: '718-7' })).rejects.toMatchObject({ code: 'ALREADY_MAPPED' })
    expect([written, await state(), ran.length]).toEqual([['718-7', '15074-8'], '15074-8', 2])
  })

  it('replaces nothing where there is nothing', async () => {
    await expect(map({ code: '718-7', replaces: '2823-3' })).rejects.toMatchObject({ kind: 'conflict' })
    expect(written).toEqual([])
  })

  it('holds for every sender of the facility that has the code', async () => {
    const other = await added('LAB', code)
    await map({ code: '718-7' })
    expect([await state(), await state(other)]).toEqual(['718-7', '718-7'])
    expect(ran).toEqual([[`of HIS ${code}`, `of LAB ${code}`]])
    await expect(map({ code: '15074-8' }, { item: other })).rejects.toMatchObject({ code: 'ALREADY_MAPPED' })
  })

  it('runs no message again that has no bytes any longer', async () => {
    await world.database.run(sql`delete from bridge.raw_messages where transaction_id = ${`of HIS ${code}`}`)
    expect(await map({ code: '718-7' })).toMatchObject({ rerun: 0 })
    expect(ran).toEqual([[]])
  })

  it.each(['glucose', '718-8', '718 -7'])('is no %s', async (wrong) => {
    const fields = [{ path: 'code', message: expect.stringMatching(/^must be/) as string }]
    await expect(map({ code: wrong })).rejects.toMatchObject({ kind: 'incorrect', fields })
    expect([written, await state()]).toEqual([[], null])
  })
})

it('tells how many messages were run again from what was run again', async () => {
  const { item } = await map({ code: '718-7' })
  expect(await countRerun(item, world.database)).toBe(0)
  const once = (by: string, at: Date) =>
    world.database.run(sql`insert into bridge.retries values (${`of HIS ${code}`},
      (select count(*) from bridge.retries where transaction_id = ${`of HIS ${code}`}), ${at}, ${by})`)
  await once('admin', new Date(0))
  await once('somebody', patientClock.now())
  expect(await countRerun(item, world.database)).toBe(0)
  await once('admin', patientClock.now())
  expect(await countRerun(item, world.database)).toBe(1)
})
