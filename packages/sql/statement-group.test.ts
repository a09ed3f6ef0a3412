import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../log/log.ts'
import { testDatabase, type TestDatabase } from '../testkit/test-database.ts'
import { openDatabase, type Database, type Queryable } from './database.ts'
import { kept, named, sql } from './sql.ts'

let server: TestDatabase
let database: Database

beforeAll(async () => {
  server = await testDatabase()
  database = await openDatabase({ url: server.url, poolMax: 2, log: silentLog })
  await database.run(sql`create table account (id int primary key, amount int not null)`)
})
beforeEach(() => database.run(sql`truncate account`))
afterAll(async () => {
  await database.close()
  await server.drop()
})

const add = (id: number, amount = 0) => sql`insert into account values (${id}, ${amount})`
const ids = async (on: Queryable = database) =>
  (await on.many<{ id: number }>(sql`select id from account order by id`)).map(({ id }) => id)

describe('statements that are sent together', () => {
  it('have each their own rows, also where there are none', async () => {
    const answers = await database.transaction((tx) =>
      tx.commitWith([
        add(1, 5),
        sql`select id, amount from account`,
        sql`select 1 where false`,
        sql`select 'x' as text`,
      ]),
    )
    expect(answers).toEqual([[], [{ id: 1, amount: 5 }], [], [{ text: 'x' }]])
  })

  it('are one transaction without BEGIN: none of them happened when one fails, whichever it is', async () => {
    for (const statements of [
      [add(1), add(2), add(1)],
      [add(1), sql`select 1 / ${0}::int`, add(2)],
    ]) {
      await expect(database.transaction((tx) => tx.commitWith(statements))).rejects.toMatchObject({ name: 'Fault' })
      expect(await ids()).toEqual([])
    }
  })

  it('name the one that failed', async () => {
    const failing = database.transaction((tx) => tx.commitWith([add(1), sql`select 1 / ${0}::int as broken`]))
    await expect(failing).rejects.toMatchObject({ logged: expect.stringContaining('as broken') as string })
  })

  it('go on in a transaction that was begun, and end it', async () => {
    await database.transaction(async (tx) => {
      await tx.together([add(1), add(2)])
      expect(await ids(tx)).toEqual([1, 2])
      await tx.commitWith([add(3)])
    })
    expect(await ids()).toEqual([1, 2, 3])
  })

  it('are read committed, with BEGIN and without', async () => {
    const level = sql`select current_setting('transaction_isolation') as level`
    const alone = database.transaction((tx) => tx.commitWith([level]))
    const behindBegin = database.transaction(async (tx) => [await tx.many(level)])
    expect(await Promise.all([alone, behindBegin])).toEqual([
      [[{ level: 'read committed' }]],
      [[{ level: 'read committed' }]],
    ])
  })

  it('are as many as are needed', async () => {
    const many = Array.from({ length: 500 }, (_, id) => add(id))
    await database.transaction((tx) => tx.commitWith(many))
    expect(await ids()).toHaveLength(500)
  })
})

const divided = { logged: expect.stringContaining('22012') as string }

describe('names of statements', () => {
  const byId = (id: number) => kept('account_by_id', sql`select amount from account where id = any(${[id]}::int[])`)
  const names = sql`select name from pg_prepared_statements where name <> '' order by name`

  it('are given once a connection and used again, also twice in one group', async () => {
    const both = () => database.transaction((tx) => tx.commitWith([byId(1), byId(2), names]), { plans: 'kept' })
    expect((await both())[2]).toEqual([{ name: 'account_by_id' }])
    expect((await both())[2]).toEqual([{ name: 'account_by_id' }])
  })

  it('that may have got lost with a failed group are never counted on', async () => {
    const fresh = () => named('never_there', sql`select 2 as two`)
    const failing = () => database.transaction((tx) => tx.commitWith([sql`select 1 / ${0}::int`, fresh()]))
    await expect(failing()).rejects.toMatchObject(divided)
    await expect(failing()).rejects.toMatchObject(divided)
    expect(await database.many(fresh())).toEqual([{ two: 2 }])
  })

  it('that are known survive a failure', async () => {
    const known = () => named('known', sql`select 3 as three`)
    await database.many(known())
    await expect(database.transaction((tx) => tx.commitWith([sql`select 1 / ${0}::int`]))).rejects.toMatchObject(
      divided,
    )
    expect(await database.many(known())).toEqual([{ three: 3 }])
  })
})
