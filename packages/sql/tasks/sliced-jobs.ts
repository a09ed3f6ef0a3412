import type { Clock } from '../../clock/clock.ts'
import type { Ids } from '../../clock/ids.ts'
import type { Log } from '../../log/log.ts'
import type { Database, Transaction } from '../queryable.ts'
import { JobQueue, type Job, type JobWorker } from './job-queue.ts'
import { untried } from './task-attempt.ts'

interface SlicedJobsOptions<State> {
  readonly queue: string
  /** Those of one key are worked on one after the other. */
  readonly keyOf: (state: State) => string
  /** A few seconds of the work: how far it is then, undefined where nothing is left. A copy that dies leaves it to be done again. */
  readonly step: (state: State, signal: AbortSignal) => Promise<State | undefined>
  readonly sliceMs?: number
}

interface SlicedJobsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** Well within the lease of a job. */
const sliceMsUsual = 20_000

/**
 * Work that takes hours, slice by slice, on whichever copy is free and also after a restart. It stays one job, which says
 * how far it is: a job that began the next one could leave both behind when its copy dies, and all would be done twice.
 */
export class SlicedJobs<State> {
  readonly #options: SlicedJobsOptions<State>
  readonly #clock: Clock
  readonly #jobs: JobQueue
  readonly #worker: JobWorker<State>

  constructor(options: SlicedJobsOptions<State>, deps: SlicedJobsDeps) {
    this.#options = options
    this.#clock = deps.clock
    this.#jobs = new JobQueue(deps)
    this.#worker = this.#jobs.worker({ queues: [options.queue], handle: (job, signal) => this.#slice(job, signal) })
    this.#worker.start()
  }

  async add(state: State, tx: Transaction): Promise<void> {
    const { queue, keyOf } = this.#options
    await this.#jobs.add(tx, { queue, key: keyOf(state), payload: state })
  }

  /** How far those of a key are that have not ended. */
  open(key: string): Promise<State[]> {
    return this.#jobs.open(this.#options.queue, key)
  }

  /** What is under way goes on in another copy. */
  close(graceMs?: number): Promise<void> {
    return this.#worker.stop(graceMs)
  }

  async #slice(job: Job<State>, signal: AbortSignal): Promise<void> {
    const { step, sliceMs = sliceMsUsual } = this.#options
    const untilMs = this.#clock.monotonicMs() + sliceMs
    let state: State | undefined = job.payload
    do {
      state = await step(state, signal)
      if (state === undefined) return
      signal.throwIfAborted()
      if (!(await this.#jobs.saveProgress(job, state))) throw untried('Another copy goes on with it.')
    } while (this.#clock.monotonicMs() < untilMs)
    throw untried('The next slice is for whoever is free.')
  }
}
