import { systemClock, type Clock } from '../clock/clock.ts'
import { systemRandom, type Random } from '../clock/ids.ts'
import { Fault } from '../faults/fault.ts'
import { lastKnownLookup } from '../names/last-known-lookup.ts'
import { cannotConnect } from './connection.ts'
import { hearNotices } from './notices.ts'
import { ConnectionPool, type PoolOptions } from './pool.ts'
import { queryableOver, type Database, type Queryable } from './queryable.ts'
import { retrying } from './retry.ts'
import { ClientSession, queryTimer, type QueryTimer } from './session.ts'
import type { Statement } from './sql.ts'
import { runTransaction } from './transaction.ts'

export type { Database, Queryable, Transaction } from './queryable.ts'

interface DatabaseOptions extends PoolOptions {
  readonly clock?: Clock
  readonly random?: Random
}

/** Opens a pool and proves that it works; a database that refuses is one clear sentence here, not at the first query. */
export async function openDatabase(given: DatabaseOptions): Promise<Database> {
  // One for all that it opens: whichever connection is lost while no name server answers finds its way back.
  const options = { lookup: lastKnownLookup(), ...given }
  const pools = poolsOf(options)
  try {
    const client = await pools.planning.acquire()
    client.release()
  } catch (thrown) {
    await endAll(pools)
    throw cannotConnect(options.url, thrown instanceof Fault ? (thrown.cause ?? thrown) : thrown)
  }
  return databaseOver(pools, options)
}

/** What is planned anew each time, and what was planned once: a connection does one or the other all its life. */
interface Pools {
  readonly planning: ConnectionPool
  readonly keeping: ConnectionPool
}

function poolsOf(options: DatabaseOptions): Pools {
  const { poolMax = 10, applicationName = 'corridor' } = options
  const keptMax = Math.max(1, Math.floor(poolMax / 2))
  const kept = { keepsPlans: true, poolMax: keptMax, applicationName: `${applicationName} kept` }
  return {
    // A command's or a test's few connections are not divided.
    planning: new ConnectionPool({ ...options, poolMax: poolMax < 4 ? poolMax : poolMax - keptMax }),
    keeping: new ConnectionPool({ ...options, ...kept }),
  }
}

const endAll = async ({ planning, keeping }: Pools) => void (await Promise.all([planning.end(), keeping.end()]))

function databaseOver(pools: Pools, options: DatabaseOptions): Database {
  const { clock = systemClock, random = systemRandom } = options
  const timer = queryTimer(options, clock)
  const again = <T>(work: () => Promise<T>) => retrying(work, { clock, random })
  const poolFor = (isKept: boolean) => (isKept ? pools.keeping : pools.planning)
  // A statement of its own is a transaction of its own; one that was refused for contention has changed nothing.
  const single: Queryable = queryableOver((statement) =>
    again(() => runSingle(poolFor(statement.isKept ?? false), statement, timer)),
  )
  return {
    ...single,
    transaction: (work, wanted = {}) => again(() => runTransaction(poolFor(wanted.plans === 'kept'), work, timer)),
    hear: (channel, heard) => hearNotices(channel, heard, { ...options, clock }),
    close: () => endAll(pools),
  }
}

async function runSingle(pool: ConnectionPool, statement: Statement, timer: QueryTimer) {
  const session = new ClientSession(await pool.acquire(), timer, { keepsPlans: pool.keepsPlans })
  try {
    return await session.execute(statement)
  } finally {
    session.release()
  }
}
