import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database, type Transaction } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { testCorridorDatabase } from '../../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { exportTrails, periodOf } from './audit-export.ts'

const stack = new AsyncDisposableStack()
let database: Database
let folder: string
beforeAll(async () => {
  const { url } = stack.use(await testCorridorDatabase())
  database = stack.adopt(await openDatabase({ url, log: silentLog }), (open) => open.close())
  folder = stack.adopt(await mkdtemp(join(tmpdir(), 'corridor-export-')), (path) => rm(path, { recursive: true }))
  // More than come in one piece.
  await database.run(sql`
    insert into auth.audit_events (id, at, event, outcome)
    select gen_random_uuid(), '2026-03-01T10:00:00Z'::timestamptz + n * interval '1 second', 'login', 'success'
    from generate_series(1, 2500) n`)
})
afterAll(() => stack.disposeAsync())

const period = periodOf('2026-03-01', '2026-03-02')

/** The same database, whose connection is lost at the second piece of the day, so many times. */
function losing(times: number): Database {
  let left = times
  const cutting = (tx: Transaction): Transaction => {
    let fetched = 0
    return {
      ...tx,
      async many<Row>(statement: Parameters<Transaction['many']>[0]) {
        const rows = await tx.many<Row>(statement)
        fetched += rows.length
        if (fetched > 1_000 && left-- > 0) {
          const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
          await database.run(sql`select pg_terminate_backend(${pid}::int)`)
        }
        return rows
      },
    }
  }
  return { ...database, transaction: (work, options) => database.transaction((tx) => work(cutting(tx)), options) }
}

it('an export whose connection was lost in the middle has each entry once', async () => {
  const into = join(folder, 'once')
  const exported = await exportTrails(period, into, losing(1))
  expect(exported).toContainEqual({ file: 'auth.ndjson', entries: 2_500 })
  const lines = (await readFile(join(into, 'auth.ndjson'), 'utf8')).trimEnd().split('\n')
  expect(lines).toHaveLength(2_500)
  expect(new Set(lines).size).toBe(2_500)
})

it('an export that fails says why, and leaves nothing that could be taken for one', async () => {
  const into = join(folder, 'failed')
  await expect(exportTrails(period, into, losing(100))).rejects.toMatchObject({
    ...{ kind: 'unavailable', code: 'DATABASE_UNAVAILABLE' },
  })
  expect(await readdir(into)).toEqual([])
  await exportTrails(period, into, database)
  await expect(exportTrails(period, into, database)).rejects.toThrow(
    `${join(into, 'fhir.ndjson')} is there already. Name another folder with --into.`,
  )
  expect(await readdir(into)).toHaveLength(5)
})

it('has no file of the name of a trail until all of them are there: a kill in the middle leaves none either', async () => {
  const into = join(folder, 'whole')
  let exporting: ReturnType<typeof exportTrails> | undefined
  await database.transaction(async (tx) => {
    await tx.run(sql`lock table consent.audit_events in access exclusive mode`)
    exporting = exportTrails(period, into, database)
    await waitFor(() => waitsFor('consent.audit_events', tx), { what: 'the export to come to the trail that is held' })
    expect((await readdir(into)).filter((name) => name.endsWith('.ndjson'))).toEqual([])
  })
  expect(await exporting).toHaveLength(5)
  expect((await readdir(into)).sort()).toEqual([
    ...['auth.ndjson', 'consent.ndjson', 'fhir.ndjson', 'looks.ndjson', 'referral.ndjson'],
  ])
})

const waitsFor = async (table: string, tx: Transaction) =>
  (
    await tx.one<{ isSo: boolean }>(
      sql`select exists (select 1 from pg_locks where not granted and relation = ${table}::text::regclass) as "isSo"`,
    )
  ).isSo

it('an export that was cut off is said to be none, and is not written over', async () => {
  const into = join(folder, 'cut-off')
  await mkdir(into)
  await writeFile(join(into, 'auth.ndjson.unfinished'), 'half')
  await expect(exportTrails(period, into, database)).rejects.toThrow(
    `${join(into, 'auth.ndjson.unfinished')} is there: another export into that folder is under way, or was cut off.`,
  )
  expect(await readdir(into)).toEqual(['auth.ndjson.unfinished'])
})
