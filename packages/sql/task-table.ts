import { systemClock, type Clock } from '../clock/clock.ts'
import { systemIds, type Ids } from '../clock/ids.ts'
import type { Queryable } from './queryable.ts'
import { json, sql, type Statement } from './sql.ts'
import { shardOf, type ClaimedTask, type DeadTask, type NewTask } from './task.ts'

export const taskTables = { outbox: sql`kit.outbox`, jobs: sql`kit.jobs` } as const

export interface ClaimOptions {
  readonly queues: readonly string[]
  readonly limit: number
  readonly leaseMs: number
  /** Only these shards; all if not given. */
  readonly shards?: readonly number[]
}

/**
 * The one way in which copies share work: rows are claimed with SKIP LOCKED, and a lease brings those of a dead copy
 * back. Times are this process's clock, so that a test can run a day of retries at once; a clock that is wrong makes a
 * task run early or twice, and the lease token then lets only one of the two finish it.
 */
export class TaskTable {
  readonly #table: Statement
  readonly #clock: Clock
  readonly #ids: Ids

  constructor(table: keyof typeof taskTables, deps: { clock?: Clock; ids?: Ids } = {}) {
    this.#table = taskTables[table]
    this.#clock = deps.clock ?? systemClock
    this.#ids = deps.ids ?? systemIds
  }

  /**
   * Adds tasks. Their position is one more than the greatest of their queue and key: whoever adds after another's
   * commit comes after it, on whatever copy, without a sequence and without trust in clocks.
   */
  insert(tasks: readonly NewTask[]): { readonly ids: readonly string[]; readonly statement: Statement } {
    const now = this.#clock.now()
    const ids = tasks.map(() => this.#ids.timeUuid())
    const shards = tasks.map(({ key }, index) => shardOf(key ?? ids[index] ?? ''))
    const statement = sql`
      insert into ${this.#table} (shard, id, queue, key, position, payload, next_at, created_at)
      select new.shard, new.id, new.queue, new.key,
             new.number + coalesce((select max(old.position) from ${this.#table} as old
                                     where old.shard = new.shard and old.queue = new.queue and old.key = new.key
                                       and old.dead_at is null), 0),
             new.payload, new.next_at, ${now}::timestamptz
        from unnest(${shards}::smallint[], ${ids}::uuid[], ${tasks.map(({ queue }) => queue)}::text[],
                    ${tasks.map(({ key }) => key ?? null)}::text[], ${tasks.map(({ payload }) => json(payload))}::jsonb[],
                    ${tasks.map(({ notBefore }) => notBefore ?? now)}::timestamptz[])
             with ordinality as new (shard, id, queue, key, payload, next_at, number)`
    return { ids, statement }
  }

  /** Takes tasks that are due; of one queue and key only the first, and only when none before it is left. */
  async claim<Payload>(on: Queryable, options: ClaimOptions): Promise<ClaimedTask<Payload>[]> {
    const now = this.#clock.now()
    const leaseEnd = new Date(now.getTime() + options.leaseMs)
    const inShards = options.shards === undefined ? sql`` : sql`and task.shard = any(${options.shards}::smallint[])`
    return on.many<ClaimedTask<Payload>>(sql`
      with due as (
        select task.shard, task.id
          from ${this.#table} as task
         where task.queue = any(${options.queues}::text[]) and task.dead_at is null
           and task.next_at <= ${now}::timestamptz ${inShards}
           and not exists (select from ${this.#table} as earlier
                            where earlier.shard = task.shard and earlier.queue = task.queue and earlier.key = task.key
                              and earlier.dead_at is null
                              and (earlier.position, earlier.id) < (task.position, task.id))
         order by task.next_at
         limit ${options.limit}
           for update skip locked)
      update ${this.#table} as task
         set attempts = task.attempts + 1, next_at = ${leaseEnd}::timestamptz, lease = ${this.#ids.uuid()}::uuid
        from due
       where task.shard = due.shard and task.id = due.id
      returning task.shard, task.id, task.queue, task.key, task.payload, task.attempts as attempt, task.lease,
                task.created_at as "createdAt"`)
  }

  /** Removes what is done. Says for each whether its lease was still ours. */
  async complete(on: Queryable, tasks: readonly ClaimedTask[]): Promise<boolean[]> {
    const removed = await on.many<{ id: string }>(sql`
      delete from ${this.#table} as task
       using unnest(${tasks.map(({ shard }) => shard)}::smallint[], ${tasks.map(({ id }) => id)}::uuid[],
                    ${tasks.map(({ lease }) => lease)}::uuid[]) as mine (shard, id, lease)
       where task.shard = mine.shard and task.id = mine.id and task.lease = mine.lease
      returning task.id`)
    const ids = new Set(removed.map(({ id }) => id))
    return tasks.map(({ id }) => ids.has(id))
  }

  /** Gives a task back to be tried again at the given instant. False when the lease was lost. */
  async retryAt(on: Queryable, task: ClaimedTask, at: Date, error: string): Promise<boolean> {
    return this.#change(on, task, sql`lease = null, next_at = ${at}, last_error = ${error}`)
  }

  /** Gives a task back untried, because this copy stops. */
  async release(on: Queryable, task: ClaimedTask): Promise<boolean> {
    return this.#change(on, task, sql`lease = null, next_at = ${this.#clock.now()}, attempts = attempts - 1`)
  }

  /** No attempt is left: it is kept, and no longer holds back those after it. */
  async bury(on: Queryable, task: ClaimedTask, error: string): Promise<boolean> {
    return this.#change(on, task, sql`lease = null, dead_at = ${this.#clock.now()}, last_error = ${error}`)
  }

  /** Lengthens the lease of a task that takes long. False when it was lost: stop. */
  async renew(on: Queryable, task: ClaimedTask, leaseMs: number): Promise<boolean> {
    return this.#change(on, task, sql`next_at = ${new Date(this.#clock.now().getTime() + leaseMs)}`)
  }

  async dead(on: Queryable, queue: string, limit = 100): Promise<DeadTask[]> {
    return on.many<DeadTask>(sql`
      select id, queue, key, payload, attempts, dead_at as "deadAt", last_error as "lastError"
        from ${this.#table} where queue = ${queue} and dead_at is not null order by dead_at, id limit ${limit}`)
  }

  /** Lets a dead task be tried afresh; it may come after later ones of its key. False when there is none. */
  async revive(on: Queryable, queue: string, id: string): Promise<boolean> {
    const revived = await on.run(sql`
      update ${this.#table} set dead_at = null, attempts = 0, next_at = ${this.#clock.now()}
       where queue = ${queue} and id = ${id} and dead_at is not null`)
    return revived === 1
  }

  async #change(on: Queryable, { shard, id, lease }: ClaimedTask, changes: Statement): Promise<boolean> {
    const changed = await on.run(
      sql`update ${this.#table} set ${changes} where shard = ${shard} and id = ${id} and lease = ${lease}`,
    )
    return changed === 1
  }
}
