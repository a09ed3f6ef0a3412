import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

export interface ConsentStats {
  readonly activeCount: number
  readonly revokedCount: number
  readonly totalDecisions: number
}

export async function readStats(on: Queryable): Promise<ConsentStats> {
  const row = await on.one<Record<keyof ConsentStats, string>>(sql`
    select (select count(*) from consent.records where status = 'active') as "activeCount",
           (select count(*) from consent.records where status = 'inactive') as "revokedCount",
           (select coalesce(sum(decisions), 0) from consent.audit_chains) as "totalDecisions"`)
  return {
    activeCount: Number(row.activeCount),
    revokedCount: Number(row.revokedCount),
    totalDecisions: Number(row.totalDecisions),
  }
}
