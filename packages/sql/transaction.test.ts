import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { conflict } from '../faults/fault.ts'
import { silentLog } from '../log/log.ts'
import { testDatabase, type TestDatabase } from '../testkit/test-database.ts'
import { openDatabase, type Database, type Queryable } from './database.ts'
import { kept, sql } from './sql.ts'

let server: TestDatabase
let database: Database

beforeAll(async () => {
  server = await testDatabase()
  database = await openDatabase({ url: server.url, poolMax: 4, applicationName: 'main', log: silentLog })
  await database.run(sql`create table account (id int primary key, amount int not null)`)
  await database.run(
    sql`create table late (id int primary key, partner int references late deferrable initially deferred)`,
  )
})

beforeEach(async () => {
  await database.run(sql`truncate account, late`)
  await database.run(sql`insert into account values (1, 0), (2, 0)`)
})

afterAll(async () => {
  await database.close()
  await server.drop()
})

const amounts = async () =>
  (await database.many<{ amount: number }>(sql`select amount from account order by id`)).map(({ amount }) => amount)

const add = (tx: Queryable, id: number) => tx.run(sql`update account set amount = amount + 1 where id = ${id}`)

/** What others have changed since it began is refused to it: contention when it is wanted. */
const repeatableRead = sql`set transaction isolation level repeatable read`

describe('a transaction', () => {
  it('happens as a whole', async () => {
    await database.transaction(async (tx) => {
      await add(tx, 1)
      await add(tx, 2)
    })
    expect(await amounts()).toEqual([1, 1])
  })

  it('does not happen when its work throws, and is not tried again', async () => {
    let attempts = 0
    const refused = database.transaction(async (tx) => {
      attempts++
      await add(tx, 1)
      throw conflict('No.')
    })
    await expect(refused).rejects.toThrow('No.')
    expect([attempts, await amounts()]).toEqual([1, [0, 0]])
  })

  it('is run again as a whole after a serialization failure', async () => {
    let attempts = 0
    await database.transaction(async (tx) => {
      attempts++
      await tx.run(repeatableRead)
      const { amount } = await tx.one<{ amount: number }>(sql`select amount from account where id = 1`)
      // Another session changes the row that this one has read: PostgreSQL answers the update with 40001.
      if (attempts === 1) await add(database, 1)
      await tx.run(sql`update account set amount = ${amount + 10} where id = 1`)
    })
    expect([attempts, await amounts()]).toEqual([2, [11, 0]])
  })

  it('is run again when it was the victim of a deadlock', async () => {
    const bothHoldOne = barrier(2)
    let attempts = 0
    const crosswise = (first: number, second: number) =>
      database.transaction(async (tx) => {
        attempts++
        await add(tx, first)
        await bothHoldOne()
        await add(tx, second)
      })
    await Promise.all([crosswise(1, 2), crosswise(2, 1)])
    // More than one again where the victim is back before the other has woken up: then they meet once more.
    expect(attempts).toBeGreaterThan(2)
    expect(await amounts()).toEqual([2, 2])
  })

  it('is run again when a lock was not granted', async () => {
    let attempts = 0
    const release = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holder = database.transaction(async (tx) => {
      await add(tx, 1)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    await database.transaction(async (tx) => {
      attempts++
      if (attempts === 2) {
        release.resolve()
        await holder
      }
      await tx.one(sql`select 1 from account where id = 1 for update nowait`)
    })
    expect(attempts).toBe(2)
  })

  it('gives up after a few attempts and says that it may be tried again', async () => {
    let attempts = 0
    const endless = database.transaction(async (tx) => {
      attempts++
      await tx.run(repeatableRead)
      await tx.many(sql`select amount from account`)
      await add(database, 1)
      await add(tx, 1)
    })
    await expect(endless).rejects.toMatchObject({ kind: 'unavailable', code: 'DATABASE_CONTENTION' })
    expect(attempts).toBe(6)
  })

  it('is run again when its connection was lost before COMMIT was sent', async () => {
    let attempts = 0
    await database.transaction(async (tx) => {
      attempts++
      await add(tx, 1)
      if (attempts === 1) await endSessionOf(tx)
      await add(tx, 2)
    })
    expect([attempts, await amounts()]).toEqual([2, [1, 1]])
  })

  it('does not pretend to know the outcome when its connection was lost during COMMIT', async () => {
    let attempts = 0
    const unknown = database.transaction(async (tx) => {
      attempts++
      await add(tx, 1)
      await endSessionOf(tx)
    })
    await expect(unknown).rejects.toMatchObject({ kind: 'unavailable', code: 'DATABASE_OUTCOME_UNKNOWN' })
    expect(attempts).toBe(1)
  })

  it('is a bug when a failed statement was swallowed, because COMMIT then rolls back', async () => {
    const swallowed = database.transaction(async (tx) => {
      await add(tx, 1)
      await tx.run(sql`insert into account values (1, 0)`).catch(() => {})
    })
    await expect(swallowed).rejects.toThrow('swallowed')
    expect(await amounts()).toEqual([0, 0])
  })

  it('reports what only COMMIT finds wrong', async () => {
    const dangling = database.transaction((tx) => tx.run(sql`insert into late values (1, 99)`))
    await expect(dangling).rejects.toMatchObject({ kind: 'conflict', code: 'REFERENCE_BROKEN' })
  })

  it('calls its hints after COMMIT, and not when it was rolled back', async () => {
    const seen: string[] = []
    await database.transaction(async (tx) => {
      tx.afterCommit(() => seen.push('committed'))
      await add(tx, 1)
      expect(seen).toEqual([])
    })
    const refused = database.transaction(async (tx) => {
      tx.afterCommit(() => seen.push('rolled back'))
      await Promise.reject(conflict('No.'))
    })
    await expect(refused).rejects.toThrow('No.')
    expect(seen).toEqual(['committed'])
  })

  it('cannot be used after its end, nor by two statements at once', async () => {
    const ended = await database.transaction(async (tx) => tx)
    await expect(add(ended, 1)).rejects.toThrow('after its end')
    const twice = database.transaction((tx) => Promise.all([add(tx, 1), add(tx, 2)]))
    await expect(twice).rejects.toThrow('one statement at a time')
    expect(await amounts()).toEqual([0, 0])
  })
})

describe('statements that are sent together', () => {
  it('give what each of them gave', async () => {
    const rows = await database.transaction((tx) =>
      tx.together([sql`select 1 as one`, sql`insert into account values (3, 0)`, sql`select 2 as two`]),
    )
    expect(rows).toEqual([[{ one: 1 }], [], [{ two: 2 }]])
    expect(await amounts()).toEqual([0, 0, 0])
  })

  it('fail with the reason of the first that fails, and nothing happens', async () => {
    const failing = database.transaction((tx) =>
      tx.together([sql`select 1`, sql`insert into account values (1, 0)`, sql`insert into late values (1, null)`]),
    )
    await expect(failing).rejects.toMatchObject({ code: 'ALREADY_EXISTS' })
    expect(await database.many(sql`select 1 from late`)).toEqual([])
  })

  it('may end with COMMIT, after which the transaction is over', async () => {
    const rows = await database.transaction(async (tx) => {
      const given = await tx.commitWith([sql`update account set amount = 7 returning id`])
      await expect(add(tx, 1)).rejects.toThrow('after its COMMIT')
      return given
    })
    expect(rows).toEqual([[{ id: 1 }, { id: 2 }]])
    expect(await amounts()).toEqual([7, 7])
  })

  it('are undone when one of those that end with COMMIT fails', async () => {
    const failing = database.transaction((tx) => tx.commitWith([sql`update account set amount = 7`, sql`select 1 / 0`]))
    await expect(failing).rejects.toThrow('SQLSTATE 22012')
    expect(await amounts()).toEqual([0, 0])
  })

  it('are run again as a whole when they were refused for contention', async () => {
    let attempts = 0
    await database.transaction(async (tx) => {
      attempts++
      await tx.run(repeatableRead)
      await tx.many(sql`select amount from account`)
      if (attempts === 1) await add(database, 1)
      await tx.commitWith([sql`update account set amount = amount + 1`])
    })
    expect([attempts, await amounts()]).toEqual([2, [2, 1]])
  })

  it('leave the outcome open when the connection is lost', async () => {
    const unknown = database.transaction(async (tx) => {
      await endSessionOf(tx)
      await tx.commitWith([sql`select 1`])
    })
    await expect(unknown).rejects.toMatchObject({ code: 'DATABASE_OUTCOME_UNKNOWN' })
  })
})

describe('a transaction that keeps plans', () => {
  it('prepares the statements that are to be kept, others do not', async () => {
    const one = await openDatabase({ url: server.url, poolMax: 1, applicationName: 'one', log: silentLog })
    const names = (plans?: 'kept') =>
      one.transaction(
        async (tx) => {
          await tx.many(kept('of_accounts', sql`select 1 from account where id = any (${[1]}::int[])`))
          return tx.many(sql`select name from pg_prepared_statements where name <> ''`)
        },
        plans === undefined ? {} : { plans },
      )
    expect(await names()).toEqual([])
    expect(await names('kept')).toEqual([{ name: 'of_accounts' }])
    await one.close()
  })

  it('plans without sequential scans, also while the table is empty', async () => {
    await database.run(sql`truncate account`)
    const plan = await database.transaction(
      (tx) => tx.many<Record<string, string>>(sql`explain select 1 from account where id = any (array[1, 2])`),
      { plans: 'kept' },
    )
    expect(JSON.stringify(plan)).toContain('Index')
    expect(await database.one(sql`select current_setting('enable_seqscan') as seqscan`)).toEqual({ seqscan: 'on' })
  })
})

/** Ends the transaction's session from outside, as a server that is stopped does. */
async function endSessionOf(tx: Queryable): Promise<void> {
  const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  await database.run(sql`select pg_terminate_backend(${pid}, 5000)`)
}

function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  return () => {
    if (--count === 0) resolve()
    return promise
  }
}
