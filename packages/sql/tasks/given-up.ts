import type { Clock } from '../../clock/clock.ts'
import type { Database } from '../queryable.ts'
import { sql } from '../sql.ts'
import { taskTables } from './task-statements.ts'
import { TaskTable } from './task-table.ts'

/** A queue of either task table, with whatever is in it. */
export interface QueueState {
  readonly queue: string
  readonly waiting: number
  /** Since when the longest waiting one is there; of jobs null, which wait for their time. */
  readonly oldest: Date | null
  readonly dead: number
}

export interface GivenUpTask {
  readonly id: string
  readonly createdAt: Date
  readonly deadAt: Date
  readonly attempts: number
  readonly lastError: string | null
}

interface GivenUpDeps {
  readonly database: Database
  readonly clock: Clock
}

const { outbox, jobs } = taskTables

/** Every queue that holds something, by name. */
export const queueStates = (database: Database): Promise<QueueState[]> =>
  database.many(sql`
    select queue, count(*) filter (where dead_at is null)::int as waiting,
      min(created_at) filter (where dead_at is null) as oldest, count(*) filter (where dead_at is not null)::int as dead
    from ${outbox.table} group by queue
    union all
    select queue, count(*) filter (where dead_at is null)::int, null, count(*) filter (where dead_at is not null)::int
    from ${jobs.table} group by queue
    order by queue`)

/** What a queue has given up, the oldest first; without what it says, which may be about a patient. */
export const givenUp = (queue: string, limit: number, database: Database): Promise<GivenUpTask[]> =>
  database.many(sql`
    select id, created_at as "createdAt", dead_at as "deadAt", attempts, last_error as "lastError"
    from (select * from ${outbox.table} union all select * from ${jobs.table}) as task
    where queue = ${queue} and dead_at is not null order by id limit ${limit}`)

/**
 * Lets what was given up be tried afresh, the oldest first and each as the last of its key; all of a queue where none is
 * named. How many that were.
 */
export async function tryAgain(queue: string, named: readonly string[], deps: GivenUpDeps): Promise<number> {
  const { database } = deps
  const ids = named.length > 0 ? named : await idsOf(queue, database)
  const tables = [new TaskTable('outbox', deps), new TaskTable('jobs', deps)]
  let count = 0
  for (let first = 0; first < ids.length; first += atOnce) {
    const next = ids.slice(first, first + atOnce)
    count += await database.transaction(async (tx) => {
      let revived = 0
      for (const id of next) for (const table of tables) if (await table.revive(tx, queue, id)) revived++
      return revived
    })
  }
  return count
}

/** Takes away what was given up. How many that were. */
export async function forget(queue: string, ids: readonly string[], { database }: GivenUpDeps): Promise<number> {
  let count = 0
  for (const { table } of [outbox, jobs]) {
    count += await database.run(
      sql`delete from ${table} where queue = ${queue} and id = any(${ids}::uuid[]) and dead_at is not null`,
    )
  }
  return count
}

/** So many share a commit: a day of records that an audit repository has refused is a hundred thousand. */
const atOnce = 200

const idsOf = async (queue: string, database: Database): Promise<string[]> =>
  (await givenUp(queue, Number.MAX_SAFE_INTEGER, database)).map(({ id }) => id)
