import { assert, bug } from '../faults/fault.ts'
import { databaseFault, outcomeUnknown } from './database-fault.ts'
import type { ConnectionPool } from './pool.ts'
import { queryableOver, type Outcome, type Transaction } from './queryable.ts'
import { NothingHappened } from './retry.ts'
import { ClientSession, type QueryTimer } from './session.ts'
import { sql, type Statement } from './sql.ts'

/** One attempt at a transaction on one connection. */
export async function runTransaction<T>(
  pool: ConnectionPool,
  work: (tx: Transaction) => Promise<T>,
  timer: QueryTimer,
): Promise<T> {
  const { keepsPlans } = pool
  const session = new ClientSession(await pool.acquire(), timer, { isTransaction: true, keepsPlans })
  const hints: (() => void)[] = []
  let isCommitting = false
  const execute = async (statements: readonly Statement[]) => {
    assert(!isCommitting, 'a transaction was used after its COMMIT')
    return session.executeAll(statements)
  }
  const commitWith = async (statements: readonly Statement[]) => {
    assert(!isCommitting, 'a transaction was committed twice')
    isCommitting = true
    return rowsOf(await endWith(session, statements))
  }
  const tx: Transaction = {
    ...queryableOver(async (statement) => onlyOf(await execute([statement]))),
    together: async (statements) => rowsOf(await execute(statements)),
    commitWith,
    afterCommit: (hint) => void hints.push(hint),
  }
  const result = await undoneOnFailure(
    session,
    () => isCommitting,
    async () => {
      const given = await work(tx)
      if (!isCommitting && session.isOpen) await commitWith([])
      return given
    },
  )
  session.release()
  // In their own turn: a hint that throws must not make a transaction look undone that is durable.
  for (const hint of hints) queueMicrotask(hint)
  return result
}

function onlyOf([outcome]: readonly Outcome[]): Outcome {
  if (outcome === undefined) throw bug('a statement has no outcome')
  return outcome
}

const rowsOf = (outcomes: readonly Outcome[]) => outcomes.map(({ rows }) => rows)

async function undoneOnFailure<T>(
  session: ClientSession,
  isCommitting: () => boolean,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (session.isBroken) {
      session.release()
      throw isCommitting() ? thrown : new NothingHappened(thrown)
    }
    await rollBack(session)
    throw thrown
  }
}

async function rollBack(session: ClientSession): Promise<void> {
  try {
    if (session.isOpen) await session.execute(sql`rollback`)
    session.release()
  } catch {
    // The reason for rolling back is what the caller must hear; a closed connection rolls back too.
    session.release({ broken: true })
  }
}

async function endWith(session: ClientSession, statements: readonly Statement[]): Promise<readonly Outcome[]> {
  try {
    return await session.commitAll(statements)
  } catch (thrown) {
    throw session.isBroken ? outcomeUnknown(thrown) : databaseFault(thrown)
  }
}
