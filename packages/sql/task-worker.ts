import { systemClock, type Clock } from '../clock/clock.ts'
import { systemRandom, type Random } from '../clock/ids.ts'
import { assert, faultOf } from '../faults/fault.ts'
import type { Log } from '../log/log.ts'
import { Batcher } from './batcher.ts'
import { Bell } from './bell.ts'
import type { Database } from './queryable.ts'
import { attemptTask, failTask, workerStopped, type AttemptPolicy, type TaskHandler } from './task-attempt.ts'
import type { TaskTable } from './task-table.ts'
import type { ClaimedTask } from './task.ts'

/** Tasks are stranded so rarely, and looking for them costs so much more than a claim, that it is done now and then. */
const pollsPerSweep = 10

export interface TaskWorkerOptions<Payload> extends AttemptPolicy {
  readonly queues: readonly string[]
  readonly shards?: readonly number[]
  readonly handle: TaskHandler<Payload>
  readonly concurrency?: number
  /** Under load, tasks are claimed these many at a time rather than one by one; 1 unless said. */
  readonly claimMin?: number
  /** How long a task is ours. The work must end a little before, or is taken for failed. */
  readonly leaseMs?: number
  /** How often to look without being woken: for tasks of other copies, and for those whose wait has passed. */
  readonly pollMs?: number
  /** Woken, it waits so long for more before it looks: a look costs the same for one task as for a hundred. */
  readonly gatherMs?: number
}

export interface TaskWorkerDeps {
  readonly database: Database
  readonly log: Log
  readonly clock?: Clock
  readonly random?: Random
}

/** Claims tasks as fast as it can do them and sees each one through: done, tried again later, or dead. */
export class TaskWorker<Payload> {
  readonly #table: TaskTable
  readonly #options: TaskWorkerOptions<Payload>
  readonly #deps: Required<TaskWorkerDeps>
  readonly #concurrency: number
  readonly #leaseMs: number
  readonly #bell = new Bell()
  readonly #hurry = new Bell()
  readonly #stopping = new AbortController()
  readonly #aborting = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  readonly #done: Batcher<ClaimedTask, boolean>
  #loop: Promise<void> | undefined
  #foundNothing = false
  #isPolled = false
  #wasFull = false
  #polls = 0
  #onIdle: (() => void)[] = []

  constructor(table: TaskTable, options: TaskWorkerOptions<Payload>, deps: TaskWorkerDeps) {
    this.#table = table
    this.#options = options
    this.#deps = { clock: systemClock, random: systemRandom, ...deps }
    this.#concurrency = options.concurrency ?? 8
    this.#leaseMs = options.leaseMs ?? 60_000
    this.#done = new Batcher({ write: (tasks) => table.complete(deps.database, tasks) })
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  /** Something was added: look now rather than at the next poll. */
  wake(): void {
    this.#foundNothing = false
    this.#bell.ring()
  }

  /** Resolves when a look finds nothing due and nothing is under way, or when the worker was stopped. */
  drain(): Promise<void> {
    assert(this.#loop !== undefined, 'a worker must be started before it can be drained')
    const idle = new Promise<void>((resolve) => this.#onIdle.push(resolve))
    this.wake()
    this.#hurry.ring()
    return idle
  }

  /** Claims nothing more, lets what is under way finish, and after the grace time gives it back for another copy. */
  async stop(graceMs = 5_000): Promise<void> {
    this.#stopping.abort()
    this.#bell.ring()
    this.#hurry.ring()
    using grace = this.#deps.clock.deadline(graceMs)
    grace.signal.addEventListener('abort', () => this.#aborting.abort(workerStopped()))
    await this.#loop
    await Promise.all(this.#underWay)
    await this.#done.close()
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const free = this.#concurrency - this.#underWay.size
      if (free >= this.#claimMin() && !this.#foundNothing) await this.#claim(free)
      else await this.#rest()
    }
  }

  /** After a poll whatever is free is used: tasks that hang must not keep others waiting for company. */
  #claimMin(): number {
    return this.#isPolled ? 1 : Math.min(this.#options.claimMin ?? 1, this.#concurrency)
  }

  async #claim(limit: number): Promise<void> {
    const { queues, shards } = this.#options
    const { database, log } = this.#deps
    this.#foundNothing = true // unless woken while looking
    this.#isPolled = false
    try {
      if (this.#polls >= pollsPerSweep) {
        this.#polls = 0
        await this.#table.letStrandedGo(database)
      }
      const options = { queues, limit, leaseMs: this.#leaseMs, ...(shards === undefined ? {} : { shards }) }
      const tasks = await this.#table.claim<Payload>(database, options)
      this.#wasFull = tasks.length === limit
      if (tasks.length > 0) this.#foundNothing = false
      for (const task of tasks) this.#begin(task)
      this.#tellIfIdle()
    } catch (thrown) {
      const { kind, message, logged } = faultOf(thrown)
      log.warn('tasks could not be claimed', { queue: queues.join(' '), faultKind: kind, error: logged ?? message })
    }
  }

  /** Until woken, or until the next poll. Chance keeps the copies from polling in step. */
  async #rest(): Promise<void> {
    const { clock, random } = this.#deps
    const pollMs = (this.#options.pollMs ?? 1_000) * (0.8 + 0.4 * random.fraction())
    if (await this.#bell.wait(clock, Math.round(pollMs))) {
      // While there is more to do than it can take, company comes by itself.
      if (!this.#wasFull && this.#onIdle.length === 0) await this.#hurry.wait(clock, this.#options.gatherMs ?? 0)
      return
    }
    this.#foundNothing = false
    this.#isPolled = true
    this.#polls++
  }

  #begin(task: ClaimedTask<Payload>): void {
    const work = this.#seeThrough(task).finally(() => {
      this.#underWay.delete(work)
      this.wake() // the next one of its key may be due now
    })
    this.#underWay.add(work)
  }

  async #seeThrough(task: ClaimedTask<Payload>): Promise<void> {
    const { database, clock, log } = this.#deps
    const limits = { clock, timeoutMs: this.#leaseMs * 0.9, stop: this.#aborting.signal }
    const fault = await attemptTask(task, this.#options.handle, limits)
    const policy = { ...this.#options, ...this.#deps, table: this.#table }
    try {
      const isOurs = await (fault === undefined ? this.#done.submit(task) : failTask(database, task, fault, policy))
      if (!isOurs) log.warn('task was taken over by another copy', { queue: task.queue, attempt: task.attempt })
    } catch (thrown) {
      // The end of its lease brings the task back.
      const { kind, message, logged } = faultOf(thrown)
      log.error('task outcome could not be written', { queue: task.queue, faultKind: kind, error: logged ?? message })
    }
  }

  #tellIfIdle(): void {
    if (!this.#foundNothing || this.#underWay.size > 0) return
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }
}
