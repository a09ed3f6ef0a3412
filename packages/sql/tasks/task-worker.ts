import { systemClock, type Clock } from '../../clock/clock.ts'
import { systemRandom, type Random } from '../../clock/ids.ts'
import { assert, faultOf } from '../../faults/fault.ts'
import type { Log } from '../../log/log.ts'
import { Bell } from './bell.ts'
import { LookTimes } from './look-times.ts'
import { isOutside } from './outside.ts'
import type { Database } from '../queryable.ts'
import { attemptTask, endOfFailure, workerStopped, type AttemptPolicy, type TaskHandler } from './task-attempt.ts'
import { TaskEndWriter, type TaskRecord } from './task-end-writer.ts'
import type { TaskEnd } from './task-end.ts'
import type { TaskTable } from './task-table.ts'
import type { ClaimedTask } from './task.ts'

export interface TaskWorkerOptions<Payload, Result = void> extends AttemptPolicy {
  readonly queues: readonly string[]
  readonly shards?: readonly number[]
  readonly handle: TaskHandler<Payload, Result>
  readonly record?: TaskRecord<Payload, Result>
  readonly concurrency?: number
  /** Under load, tasks are claimed these many at a time rather than one by one; 1 unless said. */
  readonly claimMin?: number
  /** How long a task is ours. The work must end a little before, or is taken for failed. */
  readonly leaseMs?: number
  /** How soon to look without being woken. While that finds nothing, it is done less and less often. */
  readonly pollMs?: number
  /** Woken, it waits so long for more before it looks: a look costs the same for one task as for a hundred. */
  readonly gatherMs?: number
  /** The same for ends of tasks, after several were written and while others are under way: they are one commit. */
  readonly endsGatherMs?: number
}

export interface TaskWorkerDeps {
  readonly database: Database
  readonly log: Log
  readonly clock?: Clock
  readonly random?: Random
}

/** Claims tasks as fast as it can do them and sees each one through: done, tried again later, or dead. */
export class TaskWorker<Payload, Result = void> {
  readonly #table: TaskTable
  readonly #options: TaskWorkerOptions<Payload, Result>
  readonly #deps: Required<TaskWorkerDeps>
  readonly #concurrency: number
  readonly #leaseMs: number
  readonly #bell = new Bell()
  readonly #hurry = new Bell()
  readonly #stopping = new AbortController()
  readonly #aborting = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  readonly #ends: TaskEndWriter<Payload, Result>
  readonly #lookTimes: LookTimes
  #loop: Promise<void> | undefined
  #foundNothing = false
  #isPolled = false
  #wasFull = false
  #onIdle: (() => void)[] = []

  constructor(table: TaskTable, options: TaskWorkerOptions<Payload, Result>, deps: TaskWorkerDeps) {
    this.#table = table
    this.#options = options
    this.#deps = { clock: systemClock, random: systemRandom, ...deps }
    this.#lookTimes = new LookTimes(this.#deps, options.pollMs)
    this.#concurrency = options.concurrency ?? 8
    this.#leaseMs = options.leaseMs ?? 60_000
    const { record, endsGatherMs: gatherMs = 0 } = options
    const isHurried = () => this.#onIdle.length > 0 || this.#stopping.signal.aborted
    this.#ends = new TaskEndWriter(table, { record, gatherMs, isHurried }, this.#deps)
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
    this.#ends.hurry()
    return idle
  }

  /** Claims nothing more, lets what is under way finish, and after the grace time gives it back for another copy. */
  async stop(graceMs = 5_000): Promise<void> {
    this.#stopping.abort()
    this.#bell.ring()
    this.#hurry.ring()
    this.#ends.hurry()
    using grace = this.#deps.clock.deadline(graceMs)
    grace.signal.addEventListener('abort', () => this.#aborting.abort(workerStopped()))
    await this.#loop
    await Promise.all(this.#underWay)
    await this.#ends.close()
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  async #run(): Promise<void> {
    await this.#table.letAbandonedGo(this.#options.queues, this.#deps)
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
    const isPoll = this.#isPolled
    this.#foundNothing = true // unless woken while looking
    this.#isPolled = false
    this.#lookTimes.look()
    try {
      if (isPoll && this.#lookTimes.isSweepDue()) await this.#table.letStrandedGo(database)
      const options = { queues, limit, leaseMs: this.#leaseMs, ...(shards === undefined ? {} : { shards }) }
      const tasks = await this.#table.claim<Payload>(database, options)
      this.#wasFull = tasks.length === limit
      if (tasks.length > 0) {
        this.#foundNothing = false
        this.#lookTimes.somethingHappened()
      }
      for (const task of tasks) this.#begin(task)
      this.#tellIfIdle()
    } catch (thrown) {
      this.#lookTimes.somethingHappened()
      const { kind, message, logged } = faultOf(thrown)
      log.warn('tasks could not be claimed', { queue: queues.join(' '), faultKind: kind, error: logged ?? message })
    }
  }

  /** Until woken, or until the next poll. */
  async #rest(): Promise<void> {
    const { clock } = this.#deps
    if (await this.#bell.wait(clock, this.#lookTimes.restMs())) {
      this.#lookTimes.somethingHappened()
      // While there is more to do than it can take, company comes by itself.
      if (!this.#wasFull && this.#onIdle.length === 0) await this.#hurry.wait(clock, this.#options.gatherMs ?? 0)
      return
    }
    this.#foundNothing = false
    this.#isPolled = true
  }

  #begin(task: ClaimedTask<Payload>): void {
    const work = this.#seeThrough(task).finally(() => {
      this.#underWay.delete(work)
      this.wake() // the next one of its key may be due now
    })
    this.#underWay.add(work)
  }

  async #seeThrough(task: ClaimedTask<Payload>): Promise<void> {
    const limits = { timeoutMs: this.#leaseMs * 0.9, stop: this.#aborting.signal }
    const options = { ...this.#deps, ...this.#options, ...limits }
    const end = await this.#ends.attempt(() => attemptTask(task, this.#options.handle, options))
    const written = await this.#write(end)
    if (written !== undefined) await this.#options.record?.written(written)
  }

  /** The end as it was written. One that cannot be is a failure like any other, unless the database or the lease is away. */
  async #write(end: TaskEnd<Payload, Result>): Promise<TaskEnd<Payload, Result> | undefined> {
    const { log } = this.#deps
    const { queue, attempt } = end.task
    try {
      const isOurs = await this.#ends.write(end)
      this.#lookTimes.ended(end)
      if (isOurs) return end
      log.warn('task was taken over by another copy', { queue, attempt })
      return undefined
    } catch (thrown) {
      const fault = faultOf(thrown)
      if (end.is === 'done' && !isOutside(fault)) {
        return this.#write(endOfFailure(end.task, fault, { ...this.#deps, ...this.#options }))
      }
      // The end of its lease brings the task back.
      log.error('task outcome could not be written', {
        ...{ queue, faultKind: fault.kind, error: fault.logged ?? fault.message },
      })
      return undefined
    }
  }

  #tellIfIdle(): void {
    if (!this.#foundNothing || this.#underWay.size > 0) return
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }
}
