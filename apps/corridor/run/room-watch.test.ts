import { afterAll, beforeAll, expect, it } from 'vitest'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { MovedClock } from '../../../packages/testkit/moved-clock.ts'
import { testDatabase, type TestDatabase } from '../../../packages/testkit/test-database.ts'
import { tryRoom, watchRoom } from './room-watch.ts'

let server: TestDatabase
let opened: Database
beforeAll(async () => {
  server = await testDatabase()
  opened = await openDatabase({ url: server.url, poolMax: 2, log: silentLog })
})
afterAll(async () => {
  await opened?.close()
  await server?.drop()
})

/** What PostgreSQL says when a file cannot grow. */
const needRoom = sql`do $$ begin
  raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`
const isWell = (check: () => Promise<void>) =>
  check().then(
    () => true,
    () => false,
  )

it.each<[string, (database: Database) => Promise<unknown>]>([
  ['a statement', (database) => database.run(needRoom)],
  ['a transaction', (database) => database.transaction((tx) => tx.run(needRoom))],
])('is not well after %s that found no room, until there is some', async (_what, work) => {
  const clock = new MovedClock()
  const { database, check } = watchRoom(opened, { clock })
  expect(await isWell(check)).toBe(true)
  await expect(work(database)).rejects.toMatchObject({ kind: 'unavailable', code: 'DATABASE_FULL' })
  await expect(check()).rejects.toMatchObject({ logged: expect.stringContaining('No space left on device') as string })
  clock.forward(6)
  expect([await isWell(check), await isWell(check)]).toEqual([true, true])
})

it('stays unwell while what it tries finds no room either, and tries no more than every second', async () => {
  const clock = new MovedClock()
  let tries = 0
  const full: Database = {
    ...opened,
    transaction: () => {
      tries++
      return opened.transaction((tx) => tx.run(needRoom) as never)
    },
  }
  const { database, check } = watchRoom(full, { clock })
  await expect(database.run(needRoom)).rejects.toThrow('The database has no room')
  const well = []
  for (let half = 0; half < 12; half++) {
    clock.forward(0.5)
    well.push(await isWell(check))
  }
  expect([new Set(well), tries]).toEqual([new Set([false]), 6])
})

it('does not mind what fails for another reason', async () => {
  const { database, check } = watchRoom(opened, { clock: new MovedClock() })
  await expect(database.run(sql`select 1 / 0`)).rejects.toThrow('SQLSTATE 22012')
  expect(await isWell(check)).toBe(true)
})

it('leaves nothing behind where it tried', async () => {
  await tryRoom(opened)
  await tryRoom(opened)
  expect(await opened.many(sql`select 1 from pg_class where relname = 'corridor_room'`)).toEqual([])
})

it('asks nothing of a user who may make no temporary tables', async () => {
  await opened.run(sql`do $$ begin
    execute format('revoke temporary on database %I from public, current_user', current_database()); end $$`)
  await expect(opened.run(sql`create temporary table mine (id int)`)).rejects.toThrow('permission denied')
  await expect(tryRoom(opened)).resolves.toBeUndefined()
})
