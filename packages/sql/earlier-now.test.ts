import { afterAll, beforeAll, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { silentLog } from '../log/log.ts'
import { testDatabase } from '../testkit/test-database.ts'
import { openDatabase, type Database } from './database.ts'
import { earlierNow } from './earlier-now.ts'
import { sql } from './sql.ts'

const world = new AsyncDisposableStack()
let database: Database
beforeAll(async () => {
  const { url } = world.use(await testDatabase())
  database = world.adopt(await openDatabase({ url, poolMax: 1, log: silentLog }), (open) => open.close())
})
afterAll(() => world.disposeAsync())

it('a clock behind that of the database is believed, and one ahead of it is not', async () => {
  const { now } = await database.one<{ now: Date }>(sql`select clock_timestamp() as now`)
  const behind = new SimulatedClock(new Date(now.getTime() - 3_600_000))
  expect(await earlierNow(behind, database)).toEqual(behind.now())
  const ahead = new SimulatedClock(new Date(now.getTime() + 3_600_000))
  const earlier = await earlierNow(ahead, database)
  expect(earlier >= now && earlier < ahead.now()).toBe(true)
})
