import type { PageRequest } from '../../../packages/http/page-envelope.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import { joined, sql, type Statement } from '../../../packages/sql/sql.ts'
import {
  conditionsOf,
  contentSearchMax,
  idsWithText,
  transactionColumns,
  type TransactionFilter,
  type TransactionRow,
  withIds,
} from './transactions.ts'

/** Nobody pages further than this; counting on would cost more than the search itself. */
const countedMax = 10_000

export interface FoundTransactions {
  readonly rows: readonly TransactionRow[]
  /** How many there are, as far as they were counted. */
  readonly total: number
  readonly isCut: boolean
}

/** A page of the log for somebody who looks at it, the newest first. The order of ids is the order of receipt. */
export async function searchTransactions(
  { q, ...filter }: TransactionFilter,
  page: PageRequest,
  on: Queryable,
): Promise<FoundTransactions> {
  if (q === undefined) return searchLog(conditionsOf(filter), page, on)
  const { from: _from, to: _to, ...rest } = filter
  if (Object.keys(rest).length > 0) {
    // Those that the other conditions leave may be older than any number of those that they do not.
    const all = await idsWithText(q, filter, contentSearchMax, on)
    return searchLog([withIds(all), ...conditionsOf(rest)], page, on)
  }
  // Nothing else is asked: what was found is the answer, and only the page is read.
  const ids = await idsWithText(q, filter, countedMax + 1, on)
  const shown = ids.slice(0, countedMax).slice(page.offset, page.offset + page.size)
  const { rows } = await searchLog([withIds(shown)], { ...page, offset: 0 }, on)
  return { rows, ...counted(ids.length) }
}

async function searchLog(
  conditions: readonly Statement[],
  { offset, size }: PageRequest,
  on: Queryable,
): Promise<FoundTransactions> {
  const which = joined([sql`true`, ...conditions], 'and')
  const [rows, { count }] = await Promise.all([
    on.many<TransactionRow>(
      sql`select ${transactionColumns} from bridge.all_transactions t where ${which}
        order by t.id desc offset ${offset} limit ${size}`,
    ),
    on.one<{ count: number }>(
      sql`select count(*)::int as count from
        (select 1 from bridge.all_transactions t where ${which} limit ${countedMax + 1}) c`,
    ),
  ])
  return { rows, ...counted(count) }
}

const counted = (count: number) => ({ total: Math.min(count, countedMax), isCut: count > countedMax })
