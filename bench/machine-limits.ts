import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { startChild } from '../packages/testkit/child.ts'
import { silentLog } from '../packages/log/log.ts'
import { openDatabase, type Database } from '../packages/sql/database.ts'
import { sql } from '../packages/sql/sql.ts'
import { benchmark, type Round } from './harness/benchmark.ts'
import { startDurableDatabase } from './harness/durable-database.ts'
import { repeat } from './harness/repeat.ts'
import { EchoConnection } from './machine-limits/echo-connection.ts'

interface World extends AsyncDisposable {
  readonly database: Database
  readonly file: FileHandle
  readonly key: KeyObject
  readonly echoes: readonly EchoConnection[]
}

/** What no program on this machine can exceed, so that the figures of the others can be read. */
export default benchmark<World>({
  name: 'machine-limits',
  title: 'what this machine gives: syncs of its disk, RS256, PostgreSQL and MLLP without anything behind them',
  unit: 'operations/s',
  async setup({ progress }) {
    await using stack = new AsyncDisposableStack()
    const { url, folder } = stack.use(await startDurableDatabase(progress))
    const database = await openDatabase({ url, poolMax: 16, log: silentLog })
    stack.defer(() => database.close())
    await database.run(sql`create table bench_rows (id bigint generated always as identity, raw text not null)`)
    // In the folder of the database, so that it is the same disk.
    const file = await open(join(folder, 'bench-sync'), 'w')
    stack.defer(() => file.close())
    const child = stack.use(
      await startChild({ script: new URL(`machine-limits/echo-server${extname(import.meta.url)}`, import.meta.url) }),
    )
    const port = Number(await child.waitForLine(/^\d+$/))
    const echoes = await Promise.all(Array.from({ length: 32 }, () => EchoConnection.open(port)))
    stack.defer(() => echoes.forEach((echo) => echo.close()))
    const owned = stack.move()
    const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    return { database, file, key, echoes, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  },
  variants: {
    'disk syncs of 8 KiB': ({ file }, round) =>
      repeat(round, 1, async () => {
        await file.write(page, 0, page.length, 0)
        await file.datasync()
      }),
    'RS256 signatures on one core': ({ key }, round) => repeat(round, 1, async () => sign('sha256', claims, key)),
    'PostgreSQL select 1, one connection': ({ database }, round) =>
      repeat(round, 1, () => database.run(sql`select 1 as one`)),
    'PostgreSQL select 1, 16 connections': ({ database }, round) =>
      repeat(round, 16, () => database.run(sql`select 1 as one`)),
    'PostgreSQL rows of 1 KiB in groups of 64': async ({ database }, round) =>
      (await repeat(round, 2, () => database.run(insert))) * rows.length,
    'MLLP echo, one connection': ({ echoes }, round) => roundTrips(echoes.slice(0, 1), round),
    'MLLP echo, 32 connections': ({ echoes }, round) => roundTrips(echoes, round),
  },
})

/** Each connection one after the other. */
function roundTrips(echoes: readonly EchoConnection[], round: Round): Promise<number> {
  const free = [...echoes]
  return repeat(round, echoes.length, async () => {
    const echo = free.pop()
    await echo?.roundTrip()
    if (echo !== undefined) free.push(echo)
  })
}

const page = Buffer.alloc(8_192, 'x')
const claims = Buffer.alloc(512, 'x')
const rows = Array.from({ length: 64 }, () => 'x'.repeat(1_024))
const insert = sql`insert into bench_rows (raw) select * from unnest(${rows}::text[])`
