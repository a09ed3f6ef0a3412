import { systemClock, type Clock } from '../clock/clock.ts'
import { systemRandom, type Random } from '../clock/ids.ts'
import { Fault } from '../faults/fault.ts'
import { cannotConnect } from './connection.ts'
import { ConnectionPool, type PoolOptions } from './pool.ts'
import { queryableOver, type Database, type Queryable } from './queryable.ts'
import { retrying } from './retry.ts'
import { ClientSession, queryTimer, type QueryTimer } from './session.ts'
import type { Statement } from './sql.ts'
import { runTransaction } from './transaction.ts'

export type { Database, Isolation, Queryable, Transaction } from './queryable.ts'

export interface DatabaseOptions extends PoolOptions {
  readonly clock?: Clock
  readonly random?: Random
}

/** Opens a pool and proves that it works; a database that refuses is one clear sentence here, not at the first query. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const pool = new ConnectionPool(options)
  try {
    const client = await pool.acquire()
    client.release()
  } catch (thrown) {
    await pool.end()
    throw cannotConnect(options.url, thrown instanceof Fault ? (thrown.cause ?? thrown) : thrown)
  }
  return databaseOver(pool, options)
}

function databaseOver(pool: ConnectionPool, options: DatabaseOptions): Database {
  const { clock = systemClock, random = systemRandom } = options
  const timer = queryTimer(options, clock)
  const again = <T>(work: () => Promise<T>) => retrying(work, { clock, random })
  // A statement of its own is a transaction of its own; one that was refused for contention has changed nothing.
  const single: Queryable = queryableOver((statement) => again(() => runSingle(pool, statement, timer)))
  return {
    ...single,
    transaction: (work, wanted = {}) => again(() => runTransaction(pool, work, wanted, timer)),
    close: () => pool.end(),
  }
}

async function runSingle(pool: ConnectionPool, statement: Statement, timer: QueryTimer) {
  const session = new ClientSession(await pool.acquire(), timer)
  try {
    return await session.execute(statement)
  } finally {
    session.release()
  }
}
