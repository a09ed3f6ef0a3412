import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database, Transaction } from '../../../packages/sql/database.ts'
import { JobQueue, type JobWorker } from '../../../packages/sql/tasks/job-queue.ts'
import type { Retries } from '../durable/retries.ts'
import { findUnmappedCode, usesOf } from '../store/unmapped-codes.ts'

export interface CodeRerunJobsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly retries: Pick<Retries, 'rerun'>
  /** How many messages one job takes: well within its lease, and what a copy that dies leaves to be run once more. */
  readonly sliceMax?: number
}

/** The messages of a mapped code that are still to be run again. */
export interface CodeRerun {
  readonly codeId: string
  /** Of which mapping, as an instant: one that has taken its place runs all of them again by itself. */
  readonly mappedAt: string
  /** The last one that was run again: they go in the order of their ids. */
  readonly after: string
  readonly by: string
}

export const codeRerunQueue = 'bridge.code-rerun'

/** A code may stand in a year of messages: what one request does not run again goes on here, on whichever copy is free. */
export class CodeRerunJobs {
  readonly #deps: CodeRerunJobsDeps
  readonly #jobs: JobQueue
  readonly #worker: JobWorker<CodeRerun>

  constructor(deps: CodeRerunJobsDeps) {
    this.#deps = deps
    this.#jobs = new JobQueue(deps)
    this.#worker = this.#jobs.worker({ queues: [codeRerunQueue], handle: ({ payload }) => this.#goOn(payload) })
    this.#worker.start()
  }

  async add(rerun: CodeRerun, tx: Transaction): Promise<void> {
    await this.#jobs.add(tx, { queue: codeRerunQueue, key: rerun.codeId, payload: rerun })
  }

  close(graceMs?: number): Promise<void> {
    return this.#worker.stop(graceMs)
  }

  async #goOn(rerun: CodeRerun): Promise<void> {
    const { database, retries, sliceMax = 200 } = this.#deps
    const item = await findUnmappedCode(rerun.codeId, database)
    if (item?.mapped_at?.toISOString() !== rerun.mappedAt) return
    const ids = await usesOf(item, { after: rerun.after, limit: sliceMax }, database)
    const last = ids.at(-1)
    if (last === undefined) return
    await retries.rerun(ids, rerun.by)
    await database.transaction((tx) => this.add({ ...rerun, after: last }, tx))
  }
}
