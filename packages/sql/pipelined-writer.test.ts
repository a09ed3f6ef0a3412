import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../log/log.ts'
import { testDatabase, type TestDatabase } from '../testkit/test-database.ts'
import { openDatabase, type Database } from './database.ts'
import { PipelinedWriter } from './pipelined-writer.ts'
import { named, sql } from './sql.ts'

let server: TestDatabase
let database: Database
let writer: PipelinedWriter

beforeAll(async () => {
  server = await testDatabase()
  database = await openDatabase({ url: server.url, poolMax: 2, log: silentLog })
  await database.run(sql`create table entry (id int primary key, text text)`)
  writer = new PipelinedWriter({ url: server.url, applicationName: 'writer', connections: 2 })
})

beforeEach(() => database.run(sql`truncate entry`))

afterAll(async () => {
  await writer.close()
  await database.close()
  await server.drop()
})

const insert = (id: number) => sql`insert into entry values (${id}, ${'x'}) returning id`
const ids = async () => (await database.many<{ id: number }>(sql`select id from entry order by id`)).map(({ id }) => id)

describe('a pipelined transaction', () => {
  it('gives what each statement gave, once it is durable', async () => {
    const outcomes = await writer.transaction([insert(1), insert(2), sql`update entry set text = 'y'`])
    expect(outcomes.map(({ rowCount, rows }) => [rowCount, rows])).toEqual([
      [1, [{ id: 1 }]],
      [1, [{ id: 2 }]],
      [2, []],
    ])
    expect(await ids()).toEqual([1, 2])
  })

  it('does not happen at all when one statement fails, and says why', async () => {
    const failed = writer.transaction([insert(1), insert(1), insert(2)])
    await expect(failed).rejects.toMatchObject({ kind: 'conflict', code: 'ALREADY_EXISTS' })
    expect(await ids()).toEqual([])
  })

  it('does not disturb the others on its connection', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, id) => writer.transaction(id % 3 === 0 ? [insert(id), insert(id)] : [insert(id)])),
    )
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(
      Array.from({ length: 20 }, (_, id) => id % 3 !== 0),
    )
    expect(await ids()).toEqual(Array.from({ length: 20 }, (_, id) => id).filter((id) => id % 3 !== 0))
  })

  it('drops names, so that every batch is planned for itself', async () => {
    const own = new PipelinedWriter({ url: server.url, connections: 1 })
    await own.transaction([named('batch', insert(1))])
    const [prepared] = await own.transaction([sql`select name from pg_prepared_statements`])
    expect(prepared?.rows).toEqual([])
    await own.close()
  })

  it('is run again after a deadlock', async () => {
    await database.run(sql`insert into entry values (1), (2)`)
    const update = (id: number) => sql`update entry set text = concat(text, '+') where id = ${id}`
    const held = Promise.withResolvers<void>()
    const crossing = database.transaction(async (tx) => {
      await tx.run(update(1))
      held.resolve()
      await waitUntilBlocked()
      await tx.run(update(2))
    })
    await held.promise
    await Promise.all([writer.transaction([update(2), update(1)]), crossing])
    expect(await database.many(sql`select text from entry`)).toEqual([{ text: '++' }, { text: '++' }])
  })

  it('leaves the outcome open when its connection is lost, and the next one connects again', async () => {
    const lost = writer.transaction([insert(1), sql`select pg_terminate_backend(pg_backend_pid())`])
    await expect(lost).rejects.toMatchObject({ kind: 'unavailable', code: 'DATABASE_OUTCOME_UNKNOWN' })
    await writer.transaction([insert(2)])
    expect(await ids()).toEqual([2])
  })

  it('is unavailable when no connection can be made', async () => {
    const nowhere = new PipelinedWriter({ url: 'postgres://user:secret@127.0.0.1:1/none' })
    await expect(nowhere.transaction([insert(1)])).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    await nowhere.close()
    await expect(nowhere.transaction([insert(1)])).rejects.toMatchObject({ code: 'STOPPING' })
  })
})

async function waitUntilBlocked(): Promise<void> {
  for (;;) {
    const blocked = await database.maybe(
      sql`select 1 from pg_stat_activity where application_name = 'writer' and wait_event_type = 'Lock' limit 1`,
    )
    if (blocked !== undefined) return
  }
}
