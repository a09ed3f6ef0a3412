import { every, type Recurring } from '../../../../packages/clock/every.ts'
import type { Clock } from '../../../../packages/clock/clock.ts'
import type { Log } from '../../../../packages/log/log.ts'
import type { Metrics } from '../../../../packages/metrics/metrics.ts'
import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql } from '../../../../packages/sql/sql.ts'
import { mergeQueue } from './note-merges.ts'

interface MeasureDeps {
  readonly database: Queryable
  readonly metrics: Metrics
}

const everyMs = 30_000

/** What the queue has given up, as a metric; those that wait do so for their time. */
export function measureMerges(deps: MeasureDeps & { readonly clock: Clock; readonly log: Log }): Recurring {
  return every(everyMs, { work: lookAtMerges(deps), failed: 'merged patients not measured' }, deps)
}

/** What measures it once. */
export function lookAtMerges({ database, metrics }: MeasureDeps): () => Promise<void> {
  const name = 'corridor_fhir_background_dead'
  const dead = metrics.gauge(name, 'What a queue of the FHIR store has given up, and keeps.', ['queue'])
  dead.set({ queue: mergeQueue }, 0)
  return async () => {
    const { count } = await database.one<{ count: number }>(
      sql`select count(*)::int as count from kit.jobs where queue = ${mergeQueue} and dead_at is not null`,
    )
    dead.set({ queue: mergeQueue }, count)
  }
}
