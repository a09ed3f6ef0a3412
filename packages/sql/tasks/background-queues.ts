import type { Queryable } from '../queryable.ts'
import { sql } from '../sql.ts'

/** Queues that are worked on after the answer: topics of the outbox, and jobs. */
export interface QueueNames {
  readonly topics: readonly string[]
  readonly jobs: readonly string[]
}

/** What a queue of the background holds. */
export interface BackgroundQueue {
  readonly queue: string
  readonly waiting: number
  /** Since when the longest waiting one is there. */
  readonly oldest: Date | null
  /** What was given up, and is kept. */
  readonly dead: number
}

/**
 * What is to be told to others, by topic, and of jobs what was given up: those that wait do so for their time. A queue
 * with nothing in it is left out.
 */
export const backgroundQueues = ({ topics, jobs }: QueueNames, on: Queryable): Promise<BackgroundQueue[]> =>
  on.many(sql`
    select queue, count(*) filter (where dead_at is null)::int as waiting,
      min(created_at) filter (where dead_at is null) as oldest, count(*) filter (where dead_at is not null)::int as dead
    from kit.outbox where queue = any(${topics}::text[]) group by queue
    union all
    select queue, 0, null, count(*)::int
    from kit.jobs where queue = any(${jobs}::text[]) and dead_at is not null group by queue`)
