import { bug } from '../faults/fault.ts'
import { databaseFault, outcomeUnknown } from './database-fault.ts'
import type { ConnectionPool } from './pool.ts'
import { queryableOver, type Isolation, type Transaction } from './queryable.ts'
import { NothingHappened } from './retry.ts'
import { ClientSession, type QueryTimer } from './session.ts'
import { sql } from './sql.ts'

const begin = {
  'read committed': sql`begin isolation level read committed`,
  'repeatable read': sql`begin isolation level repeatable read`,
  serializable: sql`begin isolation level serializable`,
} as const

/** One attempt at a transaction on one connection. */
export async function runTransaction<T>(
  pool: ConnectionPool,
  work: (tx: Transaction) => Promise<T>,
  isolation: Isolation,
  timer: QueryTimer,
): Promise<T> {
  const session = new ClientSession(await pool.acquire(), timer)
  const hints: (() => void)[] = []
  const tx: Transaction = {
    ...queryableOver((statement) => session.execute(statement)),
    afterCommit: (hint) => void hints.push(hint),
  }
  const result = await beforeCommit(session, async () => {
    await session.execute(begin[isolation])
    return work(tx)
  })
  await commit(session)
  // In their own turn: a hint that throws must not make a transaction look undone that is durable.
  for (const hint of hints) queueMicrotask(hint)
  return result
}

async function beforeCommit<T>(session: ClientSession, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (session.isBroken) {
      session.release()
      throw new NothingHappened(thrown)
    }
    await rollBack(session)
    throw thrown
  }
}

async function rollBack(session: ClientSession): Promise<void> {
  try {
    await session.execute(sql`rollback`)
    session.release()
  } catch {
    // The reason for rolling back is what the caller must hear; a closed connection rolls back too.
    session.release({ broken: true })
  }
}

/** A transaction in which a statement failed answers COMMIT with success and the tag ROLLBACK. */
async function commit(session: ClientSession): Promise<void> {
  let tag: string
  try {
    tag = (await session.execute(sql`commit`)).command
  } catch (thrown) {
    const lost = session.isBroken
    session.release({ broken: true })
    throw lost ? outcomeUnknown(thrown) : databaseFault(thrown)
  }
  session.release()
  if (tag !== 'COMMIT') {
    throw bug('a statement failed in a transaction and its error was swallowed, so everything was rolled back')
  }
}
