import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom, systemRandom } from '../../packages/clock/ids.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { startChild, type Child } from '../../packages/testkit/child.ts'
import { freePort } from '../../packages/testkit/free-port.ts'
import type { TestDatabase } from '../../packages/testkit/test-database.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import type { Boundary } from '../../services/bridge/durable/boundaries.ts'
import { bridgeDatabase } from '../../services/bridge/testing/bridge-database.ts'
import { InsistentSender } from './insistent-sender.ts'
import { numberedTables } from './numbered-store.ts'

const kills = process.env['CORRIDOR_TEST_LONG'] === 'true' ? 220 : 11
const seed = Number(process.env['CORRIDOR_TEST_SEED'] ?? systemRandom.below(2 ** 31))
const script = new URL('bridge-process.ts', import.meta.url)

/** Taken in turn; `undefined` is any moment. Those of deliveries and audit are killed where these are tested. */
const moments: readonly (Boundary | undefined)[] = [
  ...([
    'framed',
    'journaled',
    'enriched',
    'transformed',
    'governed',
    'stored',
    'settled',
    'before-ack',
    'acked',
  ] as const),
  undefined,
  undefined,
]

describe(`${kills} kills of a bridge under 16 senders (CORRIDOR_TEST_SEED=${seed})`, () => {
  const random = seededRandom(seed)
  let place: TestDatabase
  let database: Database
  let port: number
  let child: Child | undefined
  let senders: readonly InsistentSender[]

  beforeAll(async () => {
    place = await bridgeDatabase()
    database = await openDatabase({ url: place.url, poolMax: 2, log: silentLog })
    await database.run(numberedTables)
    port = await freePort()
    senders = Array.from({ length: 16 }, (_, index) => new InsistentSender({ port: () => port, patient: `P${index}` }))
    for (const sender of senders) sender.start()
    for (let kill = 0; kill < kills; kill++) await liveAndDie(moments[kill % moments.length])
    child = await startChild({ script, args: [place.url, String(port)] })
    await Promise.all(senders.map((sender) => sender.stop()))
    await waitFor(async () => (await database.many(sql`select 1 from bridge.open_work`)).length === 0, {
      ...{ what: 'nothing left to do', deadlineMs: 20_000 },
    })
  }, kills * 10_000)

  afterAll(async () => {
    await child?.kill()
    await database?.close()
    await place?.drop()
  })

  /** One life: it ends at the boundary by itself, or at any moment from outside. */
  async function liveAndDie(moment: Boundary | undefined): Promise<void> {
    const life = moment === undefined ? [] : [moment, String(1 + random.below(40))]
    await using one = await startChild({ script, args: [place.url, String(port), ...life] })
    if (moment === undefined) {
      const wanted = acknowledged() + random.below(60)
      await Promise.race([waitFor(() => acknowledged() >= wanted, { what: 'answers', deadlineMs: 20_000 }), one.ended])
      await one.kill()
    }
    const { signal } = await one.ended
    expect([signal, one.errorLines]).toEqual(['SIGKILL', []])
  }

  const acknowledged = () => senders.reduce((sum, sender) => sum + sender.acknowledged, 0)

  it('had messages to lose', () => {
    expect(acknowledged()).toBeGreaterThan(kills)
    // Some were sent again, or no kill has struck in the middle of anything.
    expect(senders.reduce((sum, sender) => sum + sender.sends, 0)).toBeGreaterThan(acknowledged())
  })

  it('answered each message with its own control id', () => {
    expect(senders.flatMap((sender) => sender.wrongAnswers)).toEqual([])
  })

  it('lost nothing that was acknowledged, applied nothing twice, and kept the order of each patient', async () => {
    const rows = await database.many<{ patient: string; last: number; wrong: number }>(
      sql`select * from public.patients`,
    )
    const found = new Map(rows.map(({ patient, ...row }) => [patient, row]))
    for (const [index, { acknowledged: last }] of senders.entries()) {
      expect(found.get(`P${index}`)).toEqual({ last, wrong: 0 })
    }
  })

  it('has each message in the log as done once, and nothing that is still at work', async () => {
    const doubled = await database.many(sql`
      select control_id, count(*) from bridge.all_transactions where status <> 'DUPLICATE'
      group by control_id having count(*) > 1`)
    expect(doubled).toEqual([])
    const [{ count } = { count: 0 }] = await database.many<{ count: number }>(sql`
      select count(*)::int as count from bridge.all_transactions where status = 'SUCCESS'`)
    expect(count).toBe(acknowledged())
  })
})
