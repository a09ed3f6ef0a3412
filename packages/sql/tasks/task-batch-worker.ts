import { defaultBackoff, waitAfterAttemptMs, type Backoff } from '../../clock/backoff.ts'
import { systemClock } from '../../clock/clock.ts'
import { systemRandom } from '../../clock/ids.ts'
import { pause } from '../../clock/pause.ts'
import { assert, conflict, faultOf, type Fault } from '../../faults/fault.ts'
import { Bell } from './bell.ts'
import { LookTimes } from './look-times.ts'
import { isOutside } from './outside.ts'
import type { Queryable, Transaction } from '../queryable.ts'
import { endOfFailure, timeoutCode, tookTooLong, workerStopped } from './task-attempt.ts'
import type { TaskSource } from './task-source.ts'
import type { TaskTable } from './task-table.ts'
import type { TaskWorkerDeps } from './task-worker.ts'
import type { ClaimedTask } from './task.ts'

const batchMaxDefault = 100
const leaseMsDefault = 60_000

/** What the work came to in the database, written in one transaction with the completion of its tasks. */
export type BatchEffect = (tx: Transaction) => Promise<void>

export interface TaskBatchWorkerOptions<Payload> {
  /** Does the work of all of them. It may be done twice, so whoever is told must be able to tell by id. */
  readonly handle: (tasks: readonly ClaimedTask<Payload>[], signal: AbortSignal) => Promise<BatchEffect | void>
  readonly batchMax?: number
  readonly leaseMs?: number
  readonly pollMs?: number
  /** Woken, it waits so long for more before it looks: a look costs the same for one task as for a hundred. */
  readonly gatherMs?: number
  /**
   * Where a batch that fails by itself goes instead, as a whole. Without it each of its tasks is tried alone, which must
   * not be where they have to be done in order.
   */
  readonly setAside?: (tasks: readonly ClaimedTask<Payload>[]) => BatchEffect
  /** After these many attempts a task that fails by itself is dead. What the outside is to blame for never is. */
  readonly attemptsMax?: number
  /** The same for a failure that no repetition can mend, or not after so many. */
  readonly isPermanent?: (fault: Fault, attempt: number) => boolean
  readonly backoff?: Backoff
}

/**
 * Claims tasks many at a time and does them together, one batch after the other. When the outside is away the worker
 * waits, not each task: a backlog costs nothing while it lasts. One bad task fails alone.
 */
export class TaskBatchWorker<Payload> {
  readonly #source: TaskSource<Payload>
  readonly #table: TaskTable
  readonly #options: TaskBatchWorkerOptions<Payload>
  readonly #deps: Required<TaskWorkerDeps>
  readonly #bell = new Bell()
  readonly #hurry = new Bell()
  readonly #stopping = new AbortController()
  readonly #aborting = new AbortController()
  readonly #lookTimes: LookTimes
  #loop: Promise<void> | undefined
  #failures = 0
  /** How many it claims: fewer after a batch that outlasted its lease, until they are done in time again. */
  #limit: number
  #onIdle: (() => void)[] = []

  constructor(
    source: TaskSource<Payload>,
    table: TaskTable,
    options: TaskBatchWorkerOptions<Payload>,
    deps: TaskWorkerDeps,
  ) {
    this.#source = source
    this.#table = table
    this.#options = options
    this.#limit = options.batchMax ?? batchMaxDefault
    this.#deps = { clock: systemClock, random: systemRandom, ...deps }
    this.#lookTimes = new LookTimes(this.#deps, options.pollMs)
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  wake(): void {
    this.#bell.ring()
  }

  /** Resolves when a look that begins now or later finds nothing due, or when the worker was stopped. */
  drain(): Promise<void> {
    assert(this.#loop !== undefined, 'a worker must be started before it can be drained')
    const idle = new Promise<void>((resolve) => this.#onIdle.push(resolve))
    this.wake()
    this.#hurry.ring()
    return idle
  }

  /** Claims nothing more, lets the batch under way finish, and after the grace time ends it: another copy does it. */
  async stop(graceMs = 5_000): Promise<void> {
    this.#stopping.abort()
    this.#bell.ring()
    this.#hurry.ring()
    using grace = this.#deps.clock.deadline(graceMs)
    grace.signal.addEventListener('abort', () => this.#aborting.abort(workerStopped()))
    await this.#loop
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  async #run(): Promise<void> {
    await this.#source.letAbandonedGo()
    while (!this.#stopping.signal.aborted) {
      // Whoever asks during a look may have added what it does not see.
      const asked = this.#onIdle.length
      const found = await this.#round()
      if (found !== 'nothing') {
        this.#lookTimes.somethingHappened()
        if (found === 'some') await this.#gather()
        continue
      }
      if (this.#failures === 0) for (const resolve of this.#onIdle.splice(0, asked)) resolve()
      await this.#rest()
    }
  }

  /** Until woken, or until the next poll. */
  async #rest(): Promise<void> {
    if (!(await this.#bell.wait(this.#deps.clock, this.#lookTimes.restMs()))) return this.#sweep()
    this.#lookTimes.somethingHappened()
    await this.#gather()
  }

  async #gather(): Promise<void> {
    // Whoever waits for the end of the work does not wait for company.
    if (this.#onIdle.length === 0) await this.#hurry.wait(this.#deps.clock, this.#options.gatherMs ?? 0)
  }

  async #sweep(): Promise<void> {
    if (!this.#lookTimes.isSweepDue()) return
    const { database, log } = this.#deps
    const asFault = (thrown: unknown) => log.warn('tasks could not be swept', { faultKind: faultOf(thrown).kind })
    await this.#table.letStrandedGo(database).catch(asFault)
  }

  /** What was found and worked on. */
  async #round(): Promise<'nothing' | 'some' | 'as much as it takes'> {
    const { leaseMs = leaseMsDefault } = this.#options
    this.#lookTimes.look()
    try {
      const { tasks, isFull } = await this.#source.claim({ limit: this.#limit, leaseMs })
      if (tasks.length === 0) return 'nothing'
      await this.#seeThrough(tasks)
      return isFull ? 'as much as it takes' : 'some'
    } catch (thrown) {
      this.#lookTimes.somethingHappened()
      const { kind, message, logged } = faultOf(thrown)
      const told = { queue: this.#source.queues.join(' '), faultKind: kind, error: logged ?? message }
      this.#deps.log.warn('tasks could not be claimed', told)
      return 'nothing'
    }
  }

  async #seeThrough(tasks: readonly ClaimedTask<Payload>[]): Promise<void> {
    const fault = await this.#attempt(tasks)
    if (fault === undefined) return
    if (!isTheirs(fault, tasks)) return this.#waitOutside(tasks, fault)
    if (this.#options.setAside !== undefined) return this.#setAside(tasks, fault, this.#options.setAside)
    for (const [index, task] of tasks.entries()) {
      const own = tasks.length === 1 ? fault : await this.#attempt([task])
      if (own !== undefined && !isTheirs(own, [task])) return this.#waitOutside(tasks.slice(index), own)
      if (own !== undefined) await this.#failed(task, own)
    }
  }

  async #attempt(tasks: readonly ClaimedTask<Payload>[]): Promise<Fault | undefined> {
    const stop = this.#aborting.signal
    if (stop.aborted) return faultOf(stop.reason)
    using deadline = this.#deps.clock.deadline((this.#options.leaseMs ?? leaseMsDefault) * 0.9, tookTooLong)
    const controller = new AbortController()
    const onAbort = () => controller.abort(stop.aborted ? stop.reason : deadline.signal.reason)
    // Not AbortSignal.any: the signal to stop lives as long as the worker and would keep every batch's.
    const ends = [deadline.signal, stop]
    for (const signal of ends) signal.addEventListener('abort', onAbort, { once: true })
    try {
      await this.#complete(tasks, await this.#options.handle(tasks, controller.signal))
      this.#limit = Math.min(2 * this.#limit, this.#options.batchMax ?? batchMaxDefault)
      return undefined
    } catch (thrown) {
      if (deadline.signal.aborted) this.#limit = Math.ceil(tasks.length / 2)
      // However a handler says that it was stopped, it is no failure of its tasks.
      return faultOf(stop.aborted ? stop.reason : thrown)
    } finally {
      for (const signal of ends) signal.removeEventListener('abort', onAbort)
    }
  }

  async #complete(tasks: readonly ClaimedTask<Payload>[], effect: BatchEffect | void): Promise<void> {
    const { database } = this.#deps
    const complete = async (on: Queryable) => {
      const isOurs = await this.#source.complete(on, tasks)
      if (!isOurs) throw conflict('Another copy has taken over the work.', { code: 'LEASE_LOST' })
    }
    if (typeof effect !== 'function') await complete(database)
    else await database.transaction((tx) => effect(tx).then(() => complete(tx)), { plans: 'kept' })
    this.#failures = 0
  }

  async #setAside(
    tasks: readonly ClaimedTask<Payload>[],
    { kind, logged, message }: Fault,
    effectOf: (tasks: readonly ClaimedTask<Payload>[]) => BatchEffect,
  ): Promise<void> {
    try {
      await this.#complete(tasks, effectOf(tasks))
      const told = { queue: this.#source.queues.join(' '), count: tasks.length, faultKind: kind }
      this.#deps.log.warn('tasks set aside', { ...told, error: logged ?? message })
    } catch (thrown) {
      await this.#waitOutside(tasks, faultOf(thrown))
    }
  }

  /** Nobody is to blame among the tasks: they go back as they were, and the worker waits. */
  async #waitOutside(tasks: readonly ClaimedTask<Payload>[], fault: Fault): Promise<void> {
    const { clock, random, log } = this.#deps
    const { backoff = defaultBackoff } = this.#options
    await this.#source.giveBack(tasks)
    if (this.#stopping.signal.aborted) return
    this.#failures++
    const waitMs = waitAfterAttemptMs(Math.min(this.#failures, 20), backoff, random)
    log.warn('tasks wait', {
      ...{ queue: this.#source.queues.join(' '), count: tasks.length, attempt: this.#failures, waitMs },
      ...{ faultKind: fault.kind, error: fault.logged ?? fault.message },
    })
    await pause(clock, waitMs, this.#stopping.signal)
  }

  async #failed(task: ClaimedTask<Payload>, fault: Fault): Promise<void> {
    const end = endOfFailure(task, fault, { ...this.#deps, ...this.#options })
    await this.#table.end(this.#deps.database, [end])
    this.#lookTimes.ended(end)
  }
}

/**
 * Whether these tasks are to blame. The outside is not theirs, and whoever has taken them over is outside, too; too much
 * at once is nobody's fault, but one that outlasts its lease alone would stand in the way of all others for ever.
 */
const isTheirs = (fault: Fault, tasks: readonly unknown[]): boolean =>
  fault.code === timeoutCode ? tasks.length === 1 : !isOutside(fault) && fault.code !== 'LEASE_LOST'
