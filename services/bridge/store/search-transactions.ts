import type { PageRequest } from '../../../packages/http/page-envelope.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { transactionColumns, whereOf, type TransactionFilter, type TransactionRow } from './transactions.ts'

/** Nobody pages further than this; counting on would cost more than the search itself. */
export const countedMax = 10_000

export interface FoundTransactions {
  readonly rows: readonly TransactionRow[]
  /** How many there are, as far as they were counted. */
  readonly total: number
  readonly isCut: boolean
}

/** A page of the log for somebody who looks at it, the newest first. The order of ids is the order of receipt. */
export async function searchTransactions(
  filter: TransactionFilter,
  { offset, size }: PageRequest,
  on: Queryable,
): Promise<FoundTransactions> {
  const which = whereOf(filter)
  const [rows, { counted }] = await Promise.all([
    on.many<TransactionRow>(
      sql`select ${transactionColumns} from bridge.all_transactions t ${which} order by t.id desc offset ${offset} limit ${size}`,
    ),
    on.one<{ counted: number }>(
      sql`select count(*)::int as counted from (select 1 from bridge.all_transactions t ${which} limit ${countedMax + 1}) c`,
    ),
  ])
  return { rows, total: Math.min(counted, countedMax), isCut: counted > countedMax }
}
