import type { Database } from '../../../packages/sql/database.ts'
import { sqlErrorOf } from '../../../packages/sql/sql-error.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { wasAccepted } from './accepted.ts'
import { claimDue, letStrandedGo, lookAhead, makeAllDue, queueState } from './claims.ts'
import {
  deleteCopies,
  extendLease,
  insertCopy,
  releaseOrphans,
  releaseWork,
  selectCopiesAt,
  selectUnknown,
} from './copy-statements.ts'
import { addCounts, countsOf } from './count-statements.ts'
import { fenced, type DurableStore, type EndRow } from './durable-store.ts'
import { journalStatements, type PlaceRow, type SeenRow } from './journal-statements.ts'
import { logStatements } from './log-statements.ts'
import { nameRepeated, refusedAlike } from './refused-again.ts'
import { fenceState, workStatements } from './work-statements.ts'

/** The tables of the bridge in PostgreSQL. */
export const sqlDurableStore = (database: Database): DurableStore => ({
  async journal(entries, options) {
    const statements = journalStatements(entries, options)
    const results = await database.transaction((tx) => tx.commitWith(statements), { plans: 'kept' })
    // Sound: these are the rows of the last two statements, which are written for them.
    const [seen, places] = results.slice(-2) as [SeenRow[], PlaceRow[]]
    return { seen, places }
  },
  async settle(items, parts, { now, batch }) {
    const finished = items.map((item) => item.finished)
    const refused = refusedAlike(items)
    const statements = [
      ...workStatements(items),
      ...logStatements(items),
      ...(refused.length === 0 ? [] : [nameRepeated(refused, now)]),
      ...parts.map((part) => part.statement(finished)).filter((statement) => statement !== undefined),
      // Last, because whoever counts on the same row waits until we have committed.
      addCounts(countsOf(items), batch, now),
    ]
    try {
      await database.transaction((tx) => tx.commitWith(statements), { plans: 'kept' })
    } catch (thrown) {
      throw sqlErrorOf(thrown)?.sqlState === fenceState ? fenced() : thrown
    }
  },
  endOf: (transactionId) =>
    database.maybe<EndRow>(sql`
      select t.status, t.attempts, t.ack_code as "ackCode", t.parent_transaction_id as parent, a.ack,
        ${wasAccepted} as "wasAccepted"
      from bridge.transactions t left join bridge.answers a on a.transaction_id = t.id
      where t.id = ${transactionId}`),

  claimDue: (copy, limit, now) => claimDue(database, copy, limit, now),
  makeAllDue: (now) => makeAllDue(database, now),
  letStrandedGo: () => letStrandedGo(database),
  queueState: () => queueState(database),
  lookAhead: (transactionIds) => lookAhead(database, transactionIds),

  addCopy: async (id, process, leaseMs) => void (await database.run(insertCopy(id, process, leaseMs))),
  extendLease: async (id, leaseMs) => (await database.run(extendLease(id, leaseMs))) === 1,
  copiesAt: (place) => database.many(selectCopiesAt(place)),
  takeOver: (gone) =>
    database.transaction(async (tx) => {
      await tx.run(deleteCopies(gone))
      return tx.run(releaseOrphans())
    }),
  unknownWork: (copy, known) => database.many(selectUnknown(copy, known)),
  release: (copy, works) => database.run(releaseWork(copy, works)),
})
