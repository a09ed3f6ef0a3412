import type { Clock } from '../../clock/clock.ts'
import { Batcher } from '../batcher.ts'
import { Bell } from './bell.ts'
import type { Database } from '../queryable.ts'
import type { Statement } from '../sql.ts'
import type { TaskEnd } from './task-end.ts'
import type { TaskTable } from './task-table.ts'

/** What is kept of attempts beside the ends of their tasks. */
export interface TaskRecord<Payload, Result> {
  /** Written in the transaction in which these tasks end. It changes nothing for a task that is held no longer (`isHeld`). */
  readonly statementOf: (ends: readonly TaskEnd<Payload, Result>[]) => Statement | undefined
  /** Called for each of ours once that is durable. The worker is not idle before it returns. */
  readonly written: (end: TaskEnd<Payload, Result>) => Promise<void>
}

interface TaskEndWriterOptions<Payload, Result> {
  readonly record: TaskRecord<Payload, Result> | undefined
  readonly gatherMs: number
  /** Somebody waits for the end of the work. */
  readonly isHurried: () => boolean
}

/** Writes how attempts ended, with what is kept of them: those that end together, or nearly so, in one commit. */
export class TaskEndWriter<Payload, Result> {
  readonly #table: TaskTable
  readonly #options: TaskEndWriterOptions<Payload, Result>
  readonly #deps: { readonly database: Database; readonly clock: Clock }
  readonly #batcher: Batcher<TaskEnd<Payload, Result>, boolean>
  readonly #bell = new Bell()
  #attempting = 0

  constructor(
    table: TaskTable,
    options: TaskEndWriterOptions<Payload, Result>,
    deps: { readonly database: Database; readonly clock: Clock },
  ) {
    this.#table = table
    this.#options = options
    this.#deps = deps
    this.#batcher = new Batcher({ write: (ends) => this.#write(ends), writers: 1, gather: () => this.#gather() })
  }

  /** Runs an attempt. Only while one is under way there is an end to wait for. */
  async attempt<T>(run: () => Promise<T>): Promise<T> {
    this.#attempting++
    try {
      return await run()
    } finally {
      if (--this.#attempting === 0) this.hurry()
    }
  }

  /** Resolves once the end is durable: whether the task's lease was still ours. */
  write(end: TaskEnd<Payload, Result>): Promise<boolean> {
    return this.#batcher.submit(end)
  }

  hurry(): void {
    this.#bell.ring()
  }

  close(): Promise<void> {
    this.hurry()
    return this.#batcher.close()
  }

  #write(ends: readonly TaskEnd<Payload, Result>[]): Promise<boolean[]> {
    const kept = this.#options.record?.statementOf(ends)
    return this.#table.endWith(kept === undefined ? [] : [kept], ends, this.#deps.database)
  }

  async #gather(): Promise<void> {
    if (this.#attempting > 0 && !this.#options.isHurried()) {
      await this.#bell.wait(this.#deps.clock, this.#options.gatherMs)
    }
  }
}
