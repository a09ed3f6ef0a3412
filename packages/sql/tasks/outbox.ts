import type { Ids } from '../../clock/ids.ts'
import type { Queryable, Transaction } from '../queryable.ts'
import type { Statement } from '../sql.ts'
import { TaskBatchWorker, type BatchEffect, type TaskBatchWorkerOptions } from './task-batch-worker.ts'
import { TaskLine } from './task-line.ts'
import { dueTasks } from './task-source.ts'
import { TaskTable } from './task-table.ts'
import { TaskWorker, type TaskWorkerDeps, type TaskWorkerOptions } from './task-worker.ts'
import type { ClaimedTask, DeadTask, NewTask } from './task.ts'

export interface OutboxMessage {
  readonly topic: string
  /** Messages of one topic and key are delivered one after the other, in the order of the changes. */
  readonly key?: string
  readonly payload: unknown
  readonly notBefore?: Date
}

export type OutboxWorker<Payload, Result = void> = TaskWorker<Payload, Result>

export interface DeliverOptions<Payload, Result = void> extends Omit<TaskWorkerOptions<Payload, Result>, 'queues'> {
  readonly topics: readonly string[]
}

export type OutboxBatchWorker<Payload> = TaskBatchWorker<Payload>

interface DeliverInBatchesOptions<Payload> extends Omit<TaskBatchWorkerOptions<Payload>, 'setAside'> {
  readonly topics: readonly string[]
}

interface DeliverLineOptions<Payload> extends Omit<TaskBatchWorkerOptions<Payload>, 'attemptsMax'> {
  readonly topic: string
  readonly key: string
  /** A batch ends with the message that reaches it, however few they are. */
  readonly bytesMax: number
  readonly setAside: (tasks: readonly ClaimedTask<Payload>[]) => BatchEffect
}

/**
 * What must be told to others because of a change. It is written in the transaction of the change, so neither happens
 * without the other, and delivered afterwards at least once, with an id that stays the same over all attempts.
 */
export class Outbox {
  readonly #table: TaskTable
  readonly #deps: TaskWorkerDeps & { ids?: Ids }
  readonly #workers = new Map<{ wake(): void }, readonly string[]>()

  constructor(deps: TaskWorkerDeps & { ids?: Ids }) {
    this.#table = new TaskTable('outbox', deps)
    this.#deps = deps
  }

  /** Answers with the ids, in order. Local workers look for them once the transaction is durable. */
  async enqueue(tx: Transaction, ...messages: readonly OutboxMessage[]): Promise<readonly string[]> {
    const { ids, statement } = this.insert(messages)
    await tx.run(statement)
    tx.afterCommit(() => this.wake(...messages.map(({ topic }) => topic)))
    return ids
  }

  /** The same as a statement, for a transaction whose statements are sent together; call `wake` after its COMMIT. */
  insert(messages: readonly OutboxMessage[]): { readonly ids: readonly string[]; readonly statement: Statement } {
    return this.#table.insert(messages.map(({ topic, ...rest }): NewTask => ({ queue: topic, ...rest })))
  }

  /** Local workers look for what is new of these topics: a look costs the database the same when it finds nothing. */
  wake(...topics: readonly string[]): void {
    for (const [worker, own] of this.#workers) if (own.some((topic) => topics.includes(topic))) worker.wake()
  }

  /** A worker for these topics. Start it, and stop it before the database is closed. */
  deliver<Payload, Result = void>({
    topics,
    ...options
  }: DeliverOptions<Payload, Result>): OutboxWorker<Payload, Result> {
    const worker = new TaskWorker(this.#table, { ...options, queues: topics }, this.#deps)
    this.#workers.set(worker, topics)
    return worker
  }

  /** The same for messages that are cheaper to deliver together. */
  deliverInBatches<Payload>({ topics, ...options }: DeliverInBatchesOptions<Payload>): OutboxBatchWorker<Payload> {
    const worker = new TaskBatchWorker(
      dueTasks<Payload>(this.#table, topics, this.#deps),
      this.#table,
      options,
      this.#deps,
    )
    this.#workers.set(worker, topics)
    return worker
  }

  /** The same for those of one topic and key, in their order and by one copy at a time. Nobody else may deliver them. */
  deliverLine<Payload>({ topic, key, bytesMax, ...options }: DeliverLineOptions<Payload>): OutboxBatchWorker<Payload> {
    const line = new TaskLine<Payload>('outbox', { queue: topic, key, bytesMax }, this.#deps)
    const worker = new TaskBatchWorker(line, this.#table, options, this.#deps)
    this.#workers.set(worker, [topic])
    return worker
  }

  /** Which of the keys have messages that are not delivered yet and not dead. */
  openKeys(topic: string, keys: readonly string[], on: Queryable = this.#deps.database): Promise<ReadonlySet<string>> {
    return this.#table.openKeys(on, topic, keys)
  }

  dead(topic: string, on: Queryable = this.#deps.database): Promise<DeadTask[]> {
    return this.#table.dead(on, topic)
  }

  async revive(topic: string, id: string, on: Queryable = this.#deps.database): Promise<boolean> {
    const revived = await this.#table.revive(on, topic, [id])
    this.wake(topic)
    return revived === 1
  }
}
