import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database, Transaction } from '../../../packages/sql/database.ts'
import { SlicedJobs } from '../../../packages/sql/tasks/sliced-jobs.ts'
import { untriedFor } from '../../../packages/sql/tasks/task-attempt.ts'
import { queueDepth } from '../durable/claims.ts'
import type { Retries } from '../durable/retries.ts'
import { countUses, findUnmappedCode, usesOf, type UnmappedCodeRow } from '../store/unmapped-codes.ts'

export interface CodeRerunJobsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly retries: Pick<Retries, 'rerun'>
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
  readonly #jobs: SlicedJobs<CodeRerun>

  constructor(deps: CodeRerunJobsDeps) {
    this.#deps = deps
    const step = (rerun: CodeRerun) => this.#goOn(rerun)
    this.#jobs = new SlicedJobs({ queue: codeRerunQueue, keyOf: ({ codeId }) => codeId, step }, deps)
  }

  add(rerun: CodeRerun, tx: Transaction): Promise<void> {
    return this.#jobs.add(rerun, tx)
  }

  /** How many messages of a mapped code are still to be run again; none where that is over, whatever could not be run. */
  async following(item: UnmappedCodeRow): Promise<number> {
    const open = await this.#jobs.open(item.id)
    const own = open.find(({ mappedAt }) => mappedAt === item.mapped_at?.toISOString())
    return own === undefined ? 0 : countUses(item, { after: own.after }, this.#deps.database)
  }

  close(graceMs?: number): Promise<void> {
    return this.#jobs.close(graceMs)
  }

  async #goOn(rerun: CodeRerun): Promise<CodeRerun | undefined> {
    const { database, retries } = this.#deps
    const item = await findUnmappedCode(rerun.codeId, database)
    if (item?.mapped_at?.toISOString() !== rerun.mappedAt) return undefined
    if ((await queueDepth(database)) > waitingMax) throw untriedFor(lookMs, 'Those before them are not through yet.')
    const ids = await usesOf(item, { after: rerun.after, limit: atOnceMax }, database)
    const after = ids.at(-1)
    if (after === undefined) return undefined
    await retries.rerun(ids, rerun.by)
    return { ...rerun, after }
  }
}

/**
 * While more than that wait to be run: what comes in for their patients waits behind them, and is told so. A hundred
 * thousand at once would keep it waiting for as long as all of them take.
 */
const waitingMax = 1_000
const lookMs = 2_000

/** What a copy that dies leaves to be run once more. */
const atOnceMax = 200
