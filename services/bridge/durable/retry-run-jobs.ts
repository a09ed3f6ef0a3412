import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { SlicedJobs } from '../../../packages/sql/tasks/sliced-jobs.ts'
import type { Retries } from './retries.ts'
import {
  addRetryRun,
  forgetRetryRuns,
  nextTurns,
  recordTurn,
  runMessagesMax,
  stopRetryRun,
  type RunOf,
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
const keptMs = 90 * 24 * 3_600_000

/** Batches of failed messages that go through once more, one after the other, on whichever copy is free. */
export class RetryRunJobs {
  readonly #deps: RetryRunJobsDeps
  readonly #jobs: SlicedJobs<Run>

  constructor(deps: RetryRunJobsDeps) {
    this.#deps = deps
    const step = (run: Run, signal: AbortSignal) => this.#goOn(run, signal)
    this.#jobs = new SlicedJobs({ queue: retryRunQueue, keyOf: ({ runId }) => runId, step }, deps)
  }

  /** Answers with the id of the batch before any message was touched. */
  async begin(of: RunOf, by: string): Promise<string> {
    const { database, clock, ids } = this.#deps
    const id = ids.timeUuid()
    const now = clock.now()
    await database.transaction(async (tx) => {
      await forgetRetryRuns(new Date(now.getTime() - keptMs), tx)
      await addRetryRun({ id, of, startedAt: now, startedBy: by }, runMessagesMax, tx)
      await this.#jobs.add({ runId: id }, tx)
    })
    return id
  }

  /** What was begun is finished; the rest stays failed. */
  stop(id: string, by: string): Promise<void> {
    return stopRetryRun(id, by, this.#deps.clock.now(), this.#deps.database)
  }

  close(graceMs?: number): Promise<void> {
    return this.#jobs.close(graceMs)
  }

  /** How far it is, its messages say. */
  async #goOn(run: Run, signal: AbortSignal): Promise<Run | undefined> {
    const { database, retries } = this.#deps
    const turns = await nextTurns(run.runId, turnsAtOnce, database)
    // One after the other: the oldest message of a patient comes first.
    for (const { id, by } of turns) {
      signal.throwIfAborted()
      await recordTurn(run.runId, id, await retries.begin(id, by), database)
    }
    return turns.length === 0 ? undefined : run
  }
}

interface Run {
  readonly runId: string
}
