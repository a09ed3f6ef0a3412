import type { Clock } from '../../clock/clock.ts'
import type { Database, Transaction } from '../queryable.ts'
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
 * Lets what was given up be tried afresh, each as the last of its key and those of one key in their order; all of a queue
 * where none is named. How many that were.
 */
export async function tryAgain(queue: string, named: readonly string[], deps: ChangeDeps): Promise<number> {
  const { database } = deps
  const ids = named.length > 0 ? named : await idsOf(queue, database)
  const tables = [new TaskTable('outbox', deps), new TaskTable('jobs', deps)]
  let count = 0
  for (let first = 0; first < ids.length; first += atOnce) {
    const next = ids.slice(first, first + atOnce)
    count += await changed(deps, (tx) => tables.map((table) => () => table.revive(tx, queue, next)))
  }
  return count
}

/** Takes away what was given up. How many that were. */
export const forget = (queue: string, ids: readonly string[], deps: ChangeDeps): Promise<number> =>
  changed(deps, (tx) =>
    [outbox, jobs].map(
      ({ table }) =>
        () =>
          tx.run(sql`delete from ${table} where queue = ${queue} and id = any(${ids}::uuid[]) and dead_at is not null`),
    ),
  )

/** So many share a commit: a day of records that an audit repository has refused is a hundred thousand. */
const atOnce = 1_000

interface ChangeDeps extends GivenUpDeps {
  /** Writes down, in the transaction of the change, that somebody made it. */
  readonly audit: (count: number, tx: Transaction) => Promise<void>
}

/** Both tables in one transaction with what is written down about it, where there is anything. */
function changed(
  { database, audit }: ChangeDeps,
  steps: (tx: Transaction) => readonly (() => Promise<number>)[],
): Promise<number> {
  return database.transaction(async (tx) => {
    let count = 0
    for (const step of steps(tx)) count += await step()
    if (count > 0) await audit(count, tx)
    return count
  })
}

/** As they died: of one key that is the order of its line. */
const idsOf = async (queue: string, database: Database): Promise<string[]> => {
  const dead = await database.many<{ id: string }>(sql`
    select id from (select * from ${outbox.table} union all select * from ${jobs.table}) as task
    where queue = ${queue} and dead_at is not null order by dead_at, id`)
  return dead.map(({ id }) => id)
}
