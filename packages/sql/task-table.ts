import { systemClock, type Clock } from '../clock/clock.ts'
import { systemIds, type Ids } from '../clock/ids.ts'
import type { Queryable } from './queryable.ts'
import { sql, type Statement } from './sql.ts'
import {
  buryTask,
  claimTasks,
  completeTasks,
  insertTasks,
  letStrandedGo,
  releaseTasks,
  reviveTask,
  taskTables,
  type ClaimOptions,
  type TaskTableName,
} from './task-statements.ts'
import { shardOf, type ClaimedTask, type DeadTask, type NewTask } from './task.ts'

export type { ClaimOptions } from './task-statements.ts'

/**
 * The one way in which copies share work: rows are claimed with SKIP LOCKED, and a lease brings those of a dead copy
 * back. Times are this process's clock, so that a test can run a day of retries at once; a clock that is wrong makes a
 * task run early or twice, and the lease token then lets only one of the two finish it.
 */
export class TaskTable {
  readonly #table: TaskTableName
  readonly #clock: Clock
  readonly #ids: Ids

  constructor(table: keyof typeof taskTables, deps: { clock?: Clock; ids?: Ids } = {}) {
    this.#table = taskTables[table]
    this.#clock = deps.clock ?? systemClock
    this.#ids = deps.ids ?? systemIds
  }

  insert(tasks: readonly NewTask[]): { readonly ids: readonly string[]; readonly statement: Statement } {
    const rows = tasks.map(({ queue, key, payload, notBefore }) => {
      const id = this.#ids.timeUuid()
      const shard = shardOf(key ?? id)
      return Object.assign({ id, shard, queue, payload }, key === undefined ? {} : { key }, notBefore && { notBefore })
    })
    return { ids: rows.map(({ id }) => id), statement: insertTasks(this.#table, rows, this.#clock.now()) }
  }

  /** Takes tasks that are due; of one queue and key only the first. */
  claim<Payload>(on: Queryable, options: ClaimOptions): Promise<ClaimedTask<Payload>[]> {
    return on.many(claimTasks(this.#table, options, this.#ids.uuid(), this.#clock.now()))
  }

  /** Removes what is done. Says for each whether its lease was still ours. */
  async complete(on: Queryable, tasks: readonly ClaimedTask[]): Promise<boolean[]> {
    const gone = await on.many<{ id: string }>(completeTasks(this.#table, tasks))
    const ids = new Set(gone.map(({ id }) => id))
    return tasks.map(({ id }) => ids.has(id))
  }

  /** Gives a task back to be tried again at the given instant. False when the lease was lost. */
  retryAt(on: Queryable, task: ClaimedTask, at: Date, error: string): Promise<boolean> {
    return this.#change(on, task, sql`lease = null, next_at = ${at}, last_error = ${error}`)
  }

  /** Gives a task back untried, because this copy stops. */
  release(on: Queryable, task: ClaimedTask): Promise<boolean> {
    return this.#change(on, task, sql`lease = null, next_at = ${this.#clock.now()}, attempts = attempts - 1`)
  }

  /** The same for many at once. */
  async releaseAll(on: Queryable, tasks: readonly ClaimedTask[]): Promise<void> {
    await on.run(releaseTasks(this.#table, tasks, this.#clock.now()))
  }

  /** Lengthens the lease of a task that takes long. False when it was lost: stop. */
  renew(on: Queryable, task: ClaimedTask, leaseMs: number): Promise<boolean> {
    return this.#change(on, task, sql`next_at = ${new Date(this.#clock.now().getTime() + leaseMs)}`)
  }

  /** No attempt is left: it is kept, and no longer holds back those after it. */
  async bury(on: Queryable, task: ClaimedTask, error: string): Promise<boolean> {
    return (await on.many(buryTask(this.#table, task, error, this.#clock.now()))).length === 1
  }

  dead(on: Queryable, queue: string, limit = 100): Promise<DeadTask[]> {
    return on.many(sql`
      select id, queue, key, payload, attempts, dead_at as "deadAt", last_error as "lastError"
        from ${this.#table.table} where queue = ${queue} and dead_at is not null order by dead_at, id limit ${limit}`)
  }

  /** Lets a dead task be tried afresh, as the last of its key. False when there is none. */
  async revive(on: Queryable, queue: string, id: string): Promise<boolean> {
    return (await on.run(reviveTask(this.#table, queue, id, this.#clock.now()))) === 1
  }

  async letStrandedGo(on: Queryable): Promise<number> {
    return on.run(letStrandedGo(this.#table))
  }

  async #change(on: Queryable, { shard, id, lease }: ClaimedTask, changes: Statement): Promise<boolean> {
    const changed = await on.run(
      sql`update ${this.#table.table} set ${changes} where shard = ${shard} and id = ${id} and lease = ${lease}`,
    )
    return changed === 1
  }
}
