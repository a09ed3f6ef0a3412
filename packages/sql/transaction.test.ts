import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { conflict } from '../faults/fault.ts'
import { silentLog } from '../log/log.ts'
import { testDatabase, type TestDatabase } from '../testkit/test-database.ts'
import { openDatabase, type Database, type Queryable } from './database.ts'
import { sql } from './sql.ts'

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
    await database.transaction(
      async (tx) => {
        attempts++
        const { amount } = await tx.one<{ amount: number }>(sql`select amount from account where id = 1`)
        // Another session changes the row that this one has read: PostgreSQL answers the update with 40001.
        if (attempts === 1) await add(database, 1)
        await tx.run(sql`update account set amount = ${amount + 10} where id = 1`)
      },
      { isolation: 'repeatable read' },
    )
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
    expect([attempts, await amounts()]).toEqual([3, [2, 2]])
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
    const endless = database.transaction(
      async (tx) => {
        attempts++
        await tx.many(sql`select amount from account`)
        await add(database, 1)
        await add(tx, 1)
      },
      { isolation: 'repeatable read' },
    )
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
    const kept = await database.transaction(async (tx) => tx)
    await expect(add(kept, 1)).rejects.toThrow('after its end')
    const twice = database.transaction((tx) => Promise.all([add(tx, 1), add(tx, 2)]))
    await expect(twice).rejects.toThrow('one statement at a time')
    expect(await amounts()).toEqual([0, 0])
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
