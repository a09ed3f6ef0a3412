import { hasKey } from '../../../packages/sql/has-key.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'

/** Whether somebody stands before the message of this row of `bridge.open_work`, in any of its lanes; by keys alone. */
export const isSomeoneBefore = (row: Statement): Statement => sql`
  exists (select from bridge.open_work mine
          cross join lateral (
            select from bridge.open_work o where o.lane = mine.lane and o.ticket < mine.ticket limit 1) as before
          where ${hasKey(sql`mine.transaction_id`, sql`${row}.transaction_id`)})`
