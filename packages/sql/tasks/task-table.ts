import { systemClock, type Clock } from '../../clock/clock.ts'
import { systemIds, type Ids } from '../../clock/ids.ts'
import { faultOf } from '../../faults/fault.ts'
import type { Log } from '../../log/log.ts'
import { thisProcess, type ProcessIdentity } from './this-process.ts'
import { isAbandoned, newLease } from './lease.ts'
import type { Database, Queryable } from '../queryable.ts'
import { json, sql, type Statement } from '../sql.ts'
import { endTasks, type TaskEnd } from './task-end.ts'
import {
  claimTasks,
  endLeases,
  insertTasks,
  insertTasksWhere,
  leaseEnd,
  letStrandedGo,
  reviveTasks,
  selectLeases,
  selectOpenKeys,
  taskTables,
  type ClaimOptions,
  type TaskTableName,
} from './task-statements.ts'
import { shardOf, type ClaimedTask, type DeadTask, type NewTask } from './task.ts'

export type { ClaimOptions } from './task-statements.ts'

/**
 * The one way in which copies share work: rows are claimed with SKIP LOCKED, and a lease brings those of a dead copy
 * back. When a task is due goes by this process's clock, so that a test can run a day of retries at once; a clock that is
 * wrong makes it run early or late. A lease ends by the database's, and its token lets only one of two finish the task.
 */
export class TaskTable {
  readonly #table: TaskTableName
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #process: ProcessIdentity

  constructor(table: keyof typeof taskTables, deps: { clock?: Clock; ids?: Ids } = {}) {
    this.#table = taskTables[table]
    this.#clock = deps.clock ?? systemClock
    this.#ids = deps.ids ?? systemIds
    this.#process = thisProcess()
  }

  insert(tasks: readonly NewTask[]): { readonly ids: readonly string[]; readonly statement: Statement } {
    const rows = this.#placed(tasks)
    return { ids: rows.map(({ id }) => id), statement: insertTasks(this.#table, rows, this.#clock.now()) }
  }

  insertWhere(tasks: readonly NewTask[], isMeant: Statement): Statement {
    return insertTasksWhere(this.#table, this.#placed(tasks), isMeant, this.#clock.now())
  }

  #placed(tasks: readonly NewTask[]) {
    return tasks.map(({ queue, key, payload, notBefore }) => {
      const id = this.#ids.timeUuid()
      const shard = shardOf(key ?? id)
      return Object.assign({ id, shard, queue, payload }, key === undefined ? {} : { key }, notBefore && { notBefore })
    })
  }

  /** Which of these keys have a task that is not dead: something more of them has to wait. */
  async openKeys(on: Queryable, queue: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set()
    const open = await on.many<{ key: string }>(selectOpenKeys(this.#table, queue, keys))
    return new Set(open.map(({ key }) => key))
  }

  /** What is to be done for a key, the oldest first, without what is dead. */
  async open<Payload>(on: Queryable, queue: string, key: string): Promise<Payload[]> {
    const tasks = await on.many<{ payload: Payload }>(sql`
      select payload from ${this.#table.table}
       where shard = ${shardOf(key)} and queue = ${queue} and key = ${key} and dead_at is null
       order by id`)
    return tasks.map(({ payload }) => payload)
  }

  /** Takes tasks that are due; of one queue and key only the first. */
  claim<Payload>(on: Queryable, options: ClaimOptions): Promise<ClaimedTask<Payload>[]> {
    return on.many(claimTasks(this.#table, options, newLease(this.#process, this.#ids), this.#clock.now()))
  }

  /** Ends attempts. Says for each whether its lease was still ours. */
  async end(on: Queryable, ends: readonly TaskEnd[]): Promise<boolean[]> {
    const ended: unknown[] = []
    for (const statement of endTasks(this.#table, ends, this.#clock.now())) ended.push(...(await on.many(statement)))
    return areAmong(ends, ended)
  }

  /** The same in one transaction with what else came of them, in one round trip. */
  async endWith(statements: readonly Statement[], ends: readonly TaskEnd[], database: Database): Promise<boolean[]> {
    const all = [...statements, ...endTasks(this.#table, ends, this.#clock.now())]
    const answers = await database.transaction((tx) => tx.commitWith(all), { plans: 'kept' })
    return areAmong(ends, answers.slice(statements.length).flat())
  }

  /** The end of what is done. */
  complete(on: Queryable, tasks: readonly ClaimedTask[]): Promise<boolean[]> {
    return this.end(
      on,
      tasks.map((task) => ({ is: 'done', task, result: undefined })),
    )
  }

  /** Lengthens the lease of a task that takes long. False when it was lost: stop. */
  async renew(on: Queryable, { shard, id, lease }: ClaimedTask, leaseMs: number): Promise<boolean> {
    const changed = await on.run(sql`
      update ${this.#table.table} set next_at = ${leaseEnd(leaseMs)}
       where shard = ${shard} and id = ${id} and lease = ${lease}`)
    return changed === 1
  }

  /** Writes down how far it is; failures are counted from here on. False when its lease was lost: stop. */
  async saveProgress(on: Queryable, { shard, id, lease }: ClaimedTask, payload: unknown): Promise<boolean> {
    const changed = await on.run(sql`
      update ${this.#table.table} set payload = ${json(payload)}::json, attempts = 1
       where shard = ${shard} and id = ${id} and lease = ${lease}`)
    return changed === 1
  }

  dead(on: Queryable, queue: string, limit = 100): Promise<DeadTask[]> {
    return on.many(sql`
      select id, queue, key, payload, attempts, dead_at as "deadAt", last_error as "lastError"
        from ${this.#table.table} where queue = ${queue} and dead_at is not null order by dead_at, id limit ${limit}`)
  }

  /** Lets dead tasks be tried afresh, as the last of their keys. How many there were. */
  revive(on: Queryable, queue: string, ids: readonly string[]): Promise<number> {
    return on.run(reviveTasks(this.#table, queue, ids, this.#clock.now()))
  }

  /** Ends the leases of processes of this place that are gone. Their attempts count: they may be why it is gone. */
  async letAbandonedGo(queues: readonly string[], { database, log }: { database: Database; log: Log }): Promise<void> {
    try {
      const now = this.#clock.now()
      const held = await database.many<{ lease: string }>(selectLeases(this.#table, queues))
      const leases = held.map(({ lease }) => lease).filter((lease) => isAbandoned(lease, this.#process))
      if (leases.length > 0) await database.run(endLeases(this.#table, queues, leases, now))
    } catch (thrown) {
      const { kind, message, logged } = faultOf(thrown)
      log.warn('abandoned leases not ended', { queue: queues.join(' '), faultKind: kind, error: logged ?? message })
    }
  }

  async letStrandedGo(on: Queryable): Promise<number> {
    return on.run(letStrandedGo(this.#table))
  }
}

function areAmong(ends: readonly TaskEnd[], answers: readonly unknown[]): boolean[] {
  // Sound: every statement that ends tasks answers with their ids.
  const ids = new Set(answers.map((answer) => (answer as { readonly id: string }).id))
  return ends.map(({ task }) => ids.has(task.id))
}
