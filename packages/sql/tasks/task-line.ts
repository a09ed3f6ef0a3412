import { systemClock, type Clock } from '../../clock/clock.ts'
import { systemIds, type Ids } from '../../clock/ids.ts'
import { faultOf } from '../../faults/fault.ts'
import type { Log } from '../../log/log.ts'
import { isAbandoned, newLease } from './lease.ts'
import { completeLine, readLine, releaseLine, selectLineLease, takeLine, type LineName } from './line-statements.ts'
import type { Database, Queryable } from '../queryable.ts'
import type { BatchSize, ClaimedBatch, TaskSource } from './task-source.ts'
import { taskTables, type TaskTableName } from './task-statements.ts'
import type { ClaimedTask } from './task.ts'
import { thisProcess, type ProcessIdentity } from './this-process.ts'

interface TaskLineDeps {
  readonly database: Database
  readonly log: Log
  readonly clock?: Clock
  readonly ids?: Ids
}

/** More than one can stand there only after answers were lost; the last few are enough, the others end by themselves. */
const formerMax = 9

/**
 * The tasks of one queue and key, taken from its beginning many at a time. Whoever has the line in hand has all of it:
 * nobody else gets a task of it until its tasks were completed or given back, or the lease has ended.
 */
export class TaskLine<Payload> implements TaskSource<Payload> {
  readonly queues: readonly string[]
  readonly #table: TaskTableName
  readonly #name: LineName
  readonly #bytesMax: number
  readonly #deps: Required<TaskLineDeps>
  readonly #process: ProcessIdentity = thisProcess()
  /** Leases that may be ours without anything in hand: of the last claim, and of those whose answer was lost. */
  #former: readonly string[] = []

  constructor(
    table: keyof typeof taskTables,
    { bytesMax, ...name }: LineName & { readonly bytesMax: number },
    deps: TaskLineDeps,
  ) {
    this.#table = taskTables[table]
    this.#name = name
    this.#bytesMax = bytesMax
    this.#deps = { clock: systemClock, ids: systemIds, ...deps }
    this.queues = [name.queue]
  }

  async claim({ limit, leaseMs }: BatchSize): Promise<ClaimedBatch<Payload>> {
    const { clock, database, ids } = this.#deps
    const now = clock.now()
    const lease = newLease(this.#process, ids)
    const leaseEnds = new Date(now.getTime() + leaseMs)
    const bytesMax = this.#bytesMax
    const former = this.#former
    this.#former = [...former.slice(-formerMax), lease]
    const statements = [
      takeLine(this.#table, this.#name, { lease, former, leaseEnds, now }),
      readLine(this.#table, this.#name, { lease, limit, bytesMax }),
    ]
    const [taken = [], read = []] = await database.transaction((tx) => tx.commitWith(statements), { plans: 'kept' })
    this.#former = taken.length > 0 ? [lease] : former
    // Sound: what the statement answers with.
    const tasks = read as (ClaimedTask<Payload> & { readonly bytes: number })[]
    // Whoever had it before may have done the rest meanwhile.
    if (taken.length > 0 && tasks.length === 0) await database.run(releaseLine(this.#name, lease))
    const bytes = tasks.reduce((sum, task) => sum + task.bytes, 0)
    return { tasks, isFull: tasks.length === limit || bytes >= bytesMax }
  }

  async complete(on: Queryable, tasks: readonly ClaimedTask<Payload>[]): Promise<boolean> {
    const [first] = tasks
    if (first === undefined) return true
    const done = { lease: first.lease, ids: tasks.map(({ id }) => id) }
    return (await on.many(completeLine(this.#table, this.#name, done))).length === tasks.length
  }

  async giveBack([task]: readonly ClaimedTask<Payload>[]): Promise<void> {
    if (task !== undefined) await this.#deps.database.run(releaseLine(this.#name, task.lease))
  }

  /** Ends the lease of a process of this place that is gone. */
  async letAbandonedGo(): Promise<void> {
    const { clock, database, log } = this.#deps
    try {
      const held = await database.maybe<{ lease: string }>(selectLineLease(this.#name, clock.now()))
      if (held !== undefined && isAbandoned(held.lease, this.#process)) {
        await database.run(releaseLine(this.#name, held.lease))
      }
    } catch (thrown) {
      const { kind, message, logged } = faultOf(thrown)
      log.warn('abandoned leases not ended', { queue: this.#name.queue, faultKind: kind, error: logged ?? message })
    }
  }
}
