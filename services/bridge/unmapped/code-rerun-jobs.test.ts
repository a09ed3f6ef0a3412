import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock, type Clock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { silentLog } from '../../../packages/log/log.ts'
import type { Resource } from '../../../packages/fhir/r4.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { unavailableFhirStore } from '../../../ports/fhir-store/unavailable-fhir-store.ts'
import type { AdminDeps } from '../routes/deps.ts'
import { findUnmappedCode } from '../store/unmapped-codes.ts'
import { openBridgeDatabase } from '../testing/bridge-database.ts'
import { CodeRerunJobs } from './code-rerun-jobs.ts'
import { mapUnmappedCode, type CodeMeaning } from './map-unmapped-code.ts'

let world: Awaited<ReturnType<typeof openBridgeDatabase>>
beforeAll(async () => {
  world = await openBridgeDatabase()
})
afterAll(() => world.close())

const store: AdminDeps['store'] = {
  ...unavailableFhirStore,
  updateMatching: async <T extends Resource>(resource: T) => ({
    ...{ resource: { ...resource, id: 'map' }, outcome: 'updated' as const },
  }),
}

/** A code that so many messages hold. */
async function codeOf(messages: number): Promise<string> {
  const id = systemIds.uuid()
  const { database } = world
  await database.run(sql`insert into bridge.unmapped_codes (id, sending_application, sending_facility, target, system,
      code, path, uses, first_seen_at, last_seen_at)
    values (${id}, 'LAB', 'CENTRAL', 'http://loinc.org', 'urn:local', ${id}, 'OBX-3', ${messages}, now(), now())`)
  const numbered = sql`select ${`${id}-`} || lpad(n::text, 6, '0') as message from generate_series(1, ${messages}::int) n`
  await database.run(sql`insert into bridge.unmapped_uses select ${id}::uuid, message from (${numbered}) as m`)
  await database.run(sql`insert into bridge.raw_messages (transaction_id, channel_id, message_type, control_id,
      sending_application, sending_facility, patient_keys, peer, received_at, raw)
    select message, 'oru', 'ORU^R01', '1', 'LAB', 'CENTRAL', '{}', '', now(), '' from (${numbered}) as m`)
  return id
}

function mapping(clock: Clock = systemClock, accepted = (count: number) => count) {
  const ran: string[] = []
  const retries = {
    rerun: async (ids: readonly string[]) => {
      ran.push(...ids)
      return accepted(ids.length)
    },
  }
  const deps = { database: world.database, clock, ids: systemIds, log: silentLog, retries }
  const codeReruns = new CodeRerunJobs(deps)
  const terms = { change: async () => {} }
  const map = (id: string, meaning: CodeMeaning) =>
    // Sound: mapping a code needs no more of them.
    mapUnmappedCode(id, meaning, 'admin', { ...deps, store, terms, codeReruns } as unknown as AdminDeps)
  return { ran, codeReruns, map }
}

it('all messages of a code are run again, a thousand at once and the others after a restart, and all of them once more', async () => {
  const id = await codeOf(1_450)
  const before = mapping()
  await before.codeReruns.close()
  expect(await before.map(id, { code: '718-7' })).toMatchObject({ rerun: 1_000, following: 450 })
  const after = mapping()
  await waitFor(() => after.ran.length === 450, { what: 'the others' })
  expect([...before.ran, ...after.ran]).toEqual([...before.ran, ...after.ran].toSorted())
  expect(new Set([...before.ran, ...after.ran]).size).toBe(1_450)

  expect(await after.map(id, { code: '718-7', replaces: '718-7' })).toMatchObject({ rerun: 1_000, following: 450 })
  await waitFor(() => after.ran.length === 450 + 1_450, { what: 'all of them once more' })
  await after.codeReruns.close()
})

it('tells how many follow while they do, and none afterwards, also where some could not be run again', async () => {
  const id = await codeOf(1_450)
  const before = mapping()
  await before.codeReruns.close()
  await before.map(id, { code: '718-7' })
  const following = async () => {
    const item = await findUnmappedCode(id, world.database)
    return item === undefined ? undefined : before.codeReruns.following(item)
  }
  expect(await following()).toBe(450)
  // Nobody runs any of them: each is at work for another reason, or was begun by somebody else.
  const after = mapping(systemClock, () => 0)
  await waitFor(async () => (await following()) === 0, { what: 'the end of it' })
  expect(after.ran).toHaveLength(450)
  await after.codeReruns.close()
})

it('what another mapping has taken the place of goes on no longer', async () => {
  const id = await codeOf(3)
  const { ran, codeReruns, map } = mapping()
  await map(id, { code: '718-7' })
  const [first = ''] = ran.splice(0)
  const mappedAt = (await findUnmappedCode(id, world.database))?.mapped_at?.toISOString() ?? ''
  const old = { codeId: id, mappedAt: new Date(0).toISOString(), after: first, by: 'admin' }
  await world.database.transaction((tx) => codeReruns.add(old, tx))
  await world.database.transaction((tx) => codeReruns.add({ ...old, mappedAt, by: 'later' }, tx))
  await waitFor(() => ran.length > 0, { what: 'the later one' })
  await codeReruns.close()
  expect(ran).toHaveLength(2)
})

it('the others wait while many are at work, so that what comes in for their patients does not wait behind all of them', async () => {
  const { database } = world
  const clock = new SimulatedClock()
  const id = await codeOf(1_001)
  const { ran, codeReruns, map } = mapping(clock)
  await database.run(sql`
    insert into bridge.open_work (lane, ticket, transaction_id, channel_id, is_main, due_at, attempt, attempt_limit, runs)
    select gen_random_uuid(), 1, 'waiting ' || n, 'oru', true, 'infinity', 1, 10, 1 from generate_series(1, 1001) n`)
  expect(await map(id, { code: '718-7' })).toMatchObject({ rerun: 1_000, following: 1 })
  const looked = async () => {
    const [job] = await database.many<{ attempts: number; isLate: boolean }>(sql`
      select attempts, next_at > ${clock.now()} as "isLate" from kit.jobs where lease is null`)
    return job !== undefined && job.isLate && job.attempts === 0
  }
  await waitFor(looked, { what: 'a look at the queue' })
  expect(ran).toHaveLength(1_000)
  await database.run(sql`delete from bridge.open_work`)
  await waitFor(
    async () => {
      await clock.leap(3_000)
      return ran.length === 1_001
    },
    { everyMs: 5, what: 'the last one' },
  )
  await codeReruns.close()
})
