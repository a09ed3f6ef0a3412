import type { Log } from '../../log/log.ts'
import type { Database, Queryable } from '../queryable.ts'
import type { TaskTable } from './task-table.ts'
import type { ClaimedTask } from './task.ts'

/** Where a worker of batches has its tasks from, and how they leave its hands. */
export interface TaskSource<Payload> {
  readonly queues: readonly string[]
  /** Only by one who has nothing in hand. */
  claim(size: BatchSize): Promise<ClaimedBatch<Payload>>
  /** The end of what is done: all or, when they are another copy's by now, false. */
  complete(on: Queryable, tasks: readonly ClaimedTask<Payload>[]): Promise<boolean>
  /** As they were. */
  giveBack(tasks: readonly ClaimedTask<Payload>[]): Promise<void>
  letAbandonedGo(): Promise<void>
}

export interface BatchSize {
  readonly limit: number
  readonly leaseMs: number
}

export interface ClaimedBatch<Payload> {
  readonly tasks: readonly ClaimedTask<Payload>[]
  /** There may be more: the next look need not wait for company. */
  readonly isFull: boolean
}

/** Those of some queues that are due; of one key only the first. */
export function dueTasks<Payload>(
  table: TaskTable,
  queues: readonly string[],
  deps: { readonly database: Database; readonly log: Log },
): TaskSource<Payload> {
  const { database } = deps
  return {
    queues,
    async claim({ limit, leaseMs }) {
      const tasks = await table.claim<Payload>(database, { queues, limit, leaseMs })
      return { tasks, isFull: tasks.length === limit }
    },
    complete: async (on, tasks) => !(await table.complete(on, tasks)).includes(false),
    async giveBack(tasks) {
      await table.end(
        database,
        tasks.map((task) => ({ is: 'untried', task })),
      )
    },
    letAbandonedGo: () => table.letAbandonedGo(queues, deps),
  }
}
