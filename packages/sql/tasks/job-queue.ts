import { systemClock } from '../../clock/clock.ts'
import { systemRandom, type Ids } from '../../clock/ids.ts'
import { faultOf } from '../../faults/fault.ts'
import type { Queryable, Transaction } from '../queryable.ts'
import type { Statement } from '../sql.ts'
import { endOfFailure, type AttemptPolicy } from './task-attempt.ts'
import { TaskTable, type ClaimOptions } from './task-table.ts'
import { TaskWorker, type TaskWorkerDeps, type TaskWorkerOptions } from './task-worker.ts'
import type { ClaimedTask, DeadTask, NewTask } from './task.ts'

export type Job<Payload = unknown> = ClaimedTask<Payload>
export type JobWorker<Payload> = TaskWorker<Payload>

/**
 * What must be done, by whichever copy comes first. Each step takes the transaction it belongs to, so that a job's
 * effect and its completion can be one: `database.transaction(async (tx) => { …; await jobs.complete(job, tx) })`.
 */
export class JobQueue {
  readonly #table: TaskTable
  readonly #deps: TaskWorkerDeps
  readonly #workers = new Set<{ wake(): void }>()

  constructor(deps: TaskWorkerDeps & { ids?: Ids }) {
    this.#table = new TaskTable('jobs', deps)
    this.#deps = deps
  }

  /** Answers with the ids, in order. */
  async add(tx: Transaction, ...jobs: readonly NewTask[]): Promise<readonly string[]> {
    const { ids, statement } = this.insert(jobs)
    await tx.run(statement)
    tx.afterCommit(() => this.wake())
    return ids
  }

  /** The same as a statement, for a transaction whose statements are sent together; call `wake` after its COMMIT. */
  insert(jobs: readonly NewTask[]): { readonly ids: readonly string[]; readonly statement: Statement } {
    return this.#table.insert(jobs)
  }

  /**
   * As a part of another statement (`with … as (…)`), which finds out whether there is anything to do.
   * @param isMeant a condition on the row `new`, which has the `key` of each
   */
  insertWhere(jobs: readonly NewTask[], isMeant: Statement): Statement {
    return this.#table.insertWhere(jobs, isMeant)
  }

  wake(): void {
    for (const worker of this.#workers) worker.wake()
  }

  /** What is to be done for a key, as far as progress was saved. */
  open<Payload>(queue: string, key: string, on: Queryable = this.#deps.database): Promise<Payload[]> {
    return this.#table.open(on, queue, key)
  }

  /** A worker for these queues. Start it, and stop it before the database is closed. */
  worker<Payload>(options: TaskWorkerOptions<Payload>): JobWorker<Payload> {
    const worker = new TaskWorker(this.#table, options, this.#deps)
    this.#workers.add(worker)
    return worker
  }

  claim<Payload>(options: ClaimOptions, on: Queryable = this.#deps.database): Promise<Job<Payload>[]> {
    return this.#table.claim(on, options)
  }

  /** False when the lease was lost to another copy: roll back what was done for it. */
  async complete(job: Job, on: Queryable = this.#deps.database): Promise<boolean> {
    return (await this.#table.complete(on, [job]))[0] === true
  }

  /** Again after its backoff, or dead when no attempt is left. */
  async fail(
    job: Job,
    thrown: unknown,
    policy: AttemptPolicy = {},
    on: Queryable = this.#deps.database,
  ): Promise<boolean> {
    const deps = { clock: systemClock, random: systemRandom, ...this.#deps, ...policy }
    return (await this.#table.end(on, [endOfFailure(job, faultOf(thrown), deps)]))[0] === true
  }

  renew(job: Job, leaseMs: number, on: Queryable = this.#deps.database): Promise<boolean> {
    return this.#table.renew(on, job, leaseMs)
  }

  /** For a job of many steps: whoever takes it over begins with this payload. False when the lease was lost: stop. */
  saveProgress<Payload>(job: Job<Payload>, payload: Payload, on: Queryable = this.#deps.database): Promise<boolean> {
    return this.#table.saveProgress(on, job, payload)
  }

  dead(queue: string, on: Queryable = this.#deps.database): Promise<DeadTask[]> {
    return this.#table.dead(on, queue)
  }

  async revive(queue: string, id: string, on: Queryable = this.#deps.database): Promise<boolean> {
    const revived = await this.#table.revive(on, queue, [id])
    this.wake()
    return revived === 1
  }
}
