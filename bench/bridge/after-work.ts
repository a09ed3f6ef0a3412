import type { Clock } from '../../packages/clock/clock.ts'
import type { Database } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'

/**
 * Waits until nothing that follows the answers of messages is left: subscriptions evaluated, deliveries made, audit
 * written. Gives the seconds; after a minute it is left as it is.
 */
export async function afterWork(database: Database, clock: Clock): Promise<number> {
  const startedMs = clock.monotonicMs()
  const waited = () => (clock.monotonicMs() - startedMs) / 1_000
  for (;;) {
    const { isLeft } = await database.one<{ isLeft: boolean }>(sql`
      select exists (select from bridge.open_work) or exists (select from kit.outbox where dead_at is null)
        or exists (select from bridge.deliveries where status = 'waiting') as "isLeft"`)
    if (!isLeft || waited() > waitedMax) return waited()
    await clock.sleep(lookMs)
  }
}

const waitedMax = 60
const lookMs = 50
