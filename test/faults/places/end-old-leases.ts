import type { Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/**
 * What a dead process had in hand is taken up a minute after it took it, and a line after half of one. A short run does
 * not wait for the rest of it.
 */
export async function endOldLeases(database: Database): Promise<void> {
  await database.run(sql`
    update kit.outbox set next_at = now() where lease is not null and next_at < now() + interval '52 seconds'`)
  await database.run(sql`
    update kit.lines set lease_ends = now() where lease is not null and lease_ends < now() + interval '22 seconds'`)
}
