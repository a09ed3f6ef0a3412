import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { JobQueue, type JobWorker } from '../../../packages/sql/tasks/job-queue.ts'
import type { Retries } from './retries.ts'
import type { DeadLetterGroup } from '../store/dead-letters.ts'
import {
  addRetryRun,
  forgetRetryRuns,
  nextTurns,
  recordTurn,
  runMessagesMax,
  stopRetryRun,
} from '../store/retry-runs.ts'

export interface RetryRunJobsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly retries: Pick<Retries, 'begin'>
}

export const retryRunQueue = 'bridge.retry-run'
/** So many are begun before somebody who wants to stop it is heard. */
const turnsAtOnce = 20
/** Well within the lease of a job; what is left goes on in another one. */
const sliceMs = 20_000
const keptMs = 90 * 24 * 3_600_000

/** Batches of failed messages that go through once more, one after the other, on whichever copy is free. */
export class RetryRunJobs {
  readonly #deps: RetryRunJobsDeps
  readonly #jobs: JobQueue
  readonly #worker: JobWorker<{ readonly runId: string }>

  constructor(deps: RetryRunJobsDeps) {
    this.#deps = deps
    this.#jobs = new JobQueue(deps)
    this.#worker = this.#jobs.worker({
      queues: [retryRunQueue],
      handle: ({ payload }, signal) => this.#goOn(payload.runId, signal),
    })
    this.#worker.start()
  }

  /** Answers with the id of the batch before any message was touched. */
  async begin(group: Pick<DeadLetterGroup, 'errorCode' | 'facilityCode'>, by: string): Promise<string> {
    const { database, clock, ids } = this.#deps
    const id = ids.timeUuid()
    const now = clock.now()
    await database.transaction(async (tx) => {
      await forgetRetryRuns(new Date(now.getTime() - keptMs), tx)
      await addRetryRun({ ...group, id, startedAt: now, startedBy: by }, runMessagesMax, tx)
      await this.#jobs.add(tx, { queue: retryRunQueue, key: id, payload: { runId: id } })
    })
    return id
  }

  /** What was begun is finished; the rest stays failed. */
  stop(id: string, by: string): Promise<void> {
    return stopRetryRun(id, by, this.#deps.clock.now(), this.#deps.database)
  }

  close(graceMs?: number): Promise<void> {
    return this.#worker.stop(graceMs)
  }

  async #goOn(runId: string, signal: AbortSignal): Promise<void> {
    const { database, clock, retries } = this.#deps
    const until = clock.now().getTime() + sliceMs
    for (;;) {
      const turns = await nextTurns(runId, turnsAtOnce, database)
      if (turns.length === 0) return
      // One after the other: the oldest message of a patient comes first.
      for (const { id, by } of turns) {
        signal.throwIfAborted()
        await recordTurn(runId, id, await retries.begin(id, by), database)
      }
      if (clock.now().getTime() < until) continue
      await database.transaction((tx) => this.#jobs.add(tx, { queue: retryRunQueue, key: runId, payload: { runId } }))
      return
    }
  }
}
