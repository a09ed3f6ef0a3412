import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

export async function recordReset(by: string, at: Date, on: Queryable): Promise<void> {
  await on.run(
    sql`insert into bridge.breaker_resets (id, reset_at, reset_by) values (1, ${at}, ${by})
      on conflict (id) do update set reset_at = excluded.reset_at, reset_by = excluded.reset_by`,
  )
}

export interface Reset {
  readonly at: Date
  readonly by: string
}

/** When the breakers were last reset, and by whom; undefined when never. */
export function lastReset(on: Queryable): Promise<Reset | undefined> {
  return on.maybe(sql`select reset_at as at, reset_by as by from bridge.breaker_resets where id = 1`)
}
