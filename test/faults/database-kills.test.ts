import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../packages/clock/ids.ts'
import { silentLog } from '../../packages/log/log.ts'
import { ensurePostgres, type EmbeddedPostgres } from '../../packages/postgres/ensure.ts'
import { temporaryDataDir, type TemporaryDataDir } from '../../packages/postgres/fixtures/temporary-data-dir.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { startChild, type Child } from '../../packages/testkit/child.ts'
import { casesOf } from '../../packages/testkit/extent.ts'
import { testSeed } from '../../packages/testkit/test-seed.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { tellFigures } from './findings/fault-figures.ts'
import { killAll, postgresProcesses } from './troubles/kill-postgres.ts'

const kills = casesOf({ daily: 20, long: 250 })
const seed = testSeed()

/** Who dies: taken in turn, so that every kind follows every other. */
const victims = ['everything', 'the writer', 'the postmaster'] as const

describe(`${kills} kills at random moments while a writer writes (CORRIDOR_TEST_SEED=${seed})`, () => {
  const random = seededRandom(seed)
  const reported = { message: new Set<string>(), transaction: new Set<string>() }
  const lifeOf = (number: number) => `life${number}`
  let place: TemporaryDataDir
  let postgres: EmbeddedPostgres
  let database: Database
  let writer: Child | undefined

  beforeAll(
    async () => {
      place = await temporaryDataDir({ isOnDisk: true })
      for (let kill = 0; kill < kills; kill++) {
        writer ??= await startWriter(lifeOf(kill))
        const victim = victims[kill % victims.length]
        await untilSomeMoment(writer)
        const server = await postgresProcesses(place.dataDir)
        if (victim === 'the postmaster') {
          // The writer lives on and must find its way back to a running database by itself.
          killAll(server.slice(0, 1))
          continue
        }
        if (victim === 'everything') killAll([writer.pid, ...server])
        await writer.kill()
        collect(writer)
        writer = undefined
      }
      if (writer !== undefined) {
        await untilSomeMoment(writer)
        await writer.kill()
        collect(writer)
      }
      postgres = await ensurePostgres({ dataDir: place.dataDir, log: silentLog })
      database = await openDatabase({ url: postgres.url, log: silentLog })
    },
    kills * 20_000 + 120_000,
  )

  afterAll(async () => {
    await writer?.kill()
    await database?.close()
    await postgres?.stop()
    await place?.[Symbol.asyncDispose]()
  })

  const startWriter = (life: string) =>
    startChild({
      ...{ script: new URL('places/database-writer.ts', import.meta.url), args: [place.dataDir, life] },
      env: { NODE_COMPILE_CACHE: join(place.folder, 'modules') },
    })

  /** One kill in five strikes during the start (first initialisation, recovery, migration), the others while it writes. */
  async function untilSomeMoment(child: Child): Promise<void> {
    const more = random.below(5) === 0 ? 1 + random.below(3) : 10 + random.below(150)
    const wanted = child.lines.length + more
    await waitFor(() => child.lines.length >= wanted || child.errorLines.length > 0, {
      what: `line ${wanted} of the writer`,
      deadlineMs: 120_000,
    })
    // The writer never ends by itself: what it says there is a bug.
    expect(child.errorLines).toEqual([])
  }

  function collect(child: Child): void {
    for (const line of child.lines) {
      const [kind, id = ''] = line.split(' ')
      if (kind === 'message' || kind === 'transaction') reported[kind].add(id)
    }
  }

  it('had commits to lose, of both kinds', () => {
    expect(reported.message.size).toBeGreaterThan(kills)
    expect(reported.transaction.size).toBeGreaterThan(kills)
  })

  it('lost no row that the batcher reported', async ({ task }) => {
    const rows = await database.many<{ id: string }>(sql`select id from faults.messages`)
    const there = new Set(rows.map(({ id }) => id))
    const lost = [...reported.message].filter((id) => !there.has(id))
    tellFigures(task, { kills, histories: reported.message.size, lost: lost.length })
    expect(lost).toEqual([])
  })

  it('lost no transaction that was reported', async ({ task }) => {
    const rows = await database.many<{ id: string }>(sql`select id from faults.transactions`)
    const there = new Set(rows.map(({ id }) => id))
    const lost = [...reported.transaction].filter((id) => !there.has(id))
    tellFigures(task, { histories: reported.transaction.size, lost: lost.length })
    expect(lost).toEqual([])
  })

  it('kept no part of a transaction without the rest', async () => {
    const torn = await database.many(sql`
      select coalesce(t.id, p.transaction_id) as id
      from faults.transactions t
      full join (select transaction_id, count(*) as found from faults.parts group by transaction_id) p
        on p.transaction_id = t.id
      where t.parts is distinct from p.found`)
    expect(torn).toEqual([])
  })

  it('ran each migration once', async () => {
    const doubled = await database.many(sql`
      select owner, number from kit.migrations group by owner, number having count(*) > 1`)
    expect(doubled).toEqual([])
  })
})
