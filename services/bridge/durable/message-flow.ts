import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids, Random } from '../../../packages/clock/ids.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { thisProcess, type ProcessIdentity } from '../../../packages/sql/tasks/this-process.ts'
import type { Channel, ChannelId } from '../pipeline/channel.ts'
import type { Outcome } from '../pipeline/outcome.ts'
import type { Received } from '../pipeline/received.ts'
import { runPipeline } from './run-pipeline.ts'
import type { Incoming } from './arrival.ts'
import type { PipelineDeps } from './pipeline-deps.ts'
import type { PassBoundary } from '../pipeline/boundaries.ts'
import { Copies } from './copies.ts'
import type { DurableStore } from './durable-store.ts'
import type { FinishPart } from '../pipeline/finished.ts'
import { gatherMs } from './gather.ts'
import { Journal } from './journal.ts'
import { LaneQueue } from './lane-queue.ts'
import { Measures } from './measures.ts'
import { RetryQueue } from './retry-queue.ts'
import { Settlement } from './settlement.ts'
import { sqlDurableStore } from './sql-durable-store.ts'
import { UnderWay } from './under-way.ts'

export interface FlowOptions {
  /** For how long a control id is remembered. */
  readonly windowMs: number
  readonly answerWithinMs: number
  /** Messages under way at once, and those that may wait for a commit. */
  readonly underWayMax: number
  readonly queueMax: number
  /** Under load, how long a durable point waits for more messages before its next commit; a lone one never waits. */
  readonly gatherMs: number
  readonly retryConcurrency: number
  readonly leaseMs: number
}

export const defaultFlowOptions: FlowOptions = {
  windowMs: 24 * 3_600_000,
  answerWithinMs: 30_000,
  underWayMax: 2_000,
  queueMax: 10_000,
  gatherMs,
  retryConcurrency: 128,
  leaseMs: 10_000,
}

export interface FlowDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly log: Log
  readonly metrics: Metrics
  readonly channelOf: (id: ChannelId) => Channel
  readonly runStages: (received: Received) => Promise<Outcome>
  readonly foresee?: PipelineDeps['foresee']
  readonly parts: readonly FinishPart[]
  readonly allowance: () => number
  readonly hearTerms?: ((version: string) => void) | undefined
  readonly passBoundary: PassBoundary
  readonly process?: ProcessIdentity
  /** Where everything is kept: in the database, unless this is a simulation. */
  readonly durable?: DurableStore
}

/** One copy's way of a message from its bytes to its answer, with everything that makes it survive the copy. */
export class MessageFlow {
  readonly retries: RetryQueue
  readonly underWay: UnderWay
  readonly #deps: PipelineDeps
  readonly #settlement: Settlement
  #isStopping = false

  constructor(options: FlowOptions, deps: FlowDeps) {
    const { clock, channelOf, allowance, durable = sqlDurableStore(deps.database) } = deps
    const { windowMs, queueMax, answerWithinMs } = options
    this.underWay = new UnderWay(options.underWayMax)
    const wake = () => this.retries.wake()
    const lanes = new LaneQueue(clock, wake)
    const copies = new Copies({
      ...{ ...deps, durable },
      process: deps.process ?? thisProcess(),
      leaseMs: options.leaseMs,
      onFound: wake,
      known: () => this.underWay.transactionIds,
    })
    const gather = options.gatherMs === 0 ? undefined : () => clock.sleep(options.gatherMs)
    const journal = new Journal({ durable, clock, lanes, copy: () => copies.id, windowMs, queueMax, gather })
    this.#settlement = new Settlement({ ...deps, durable, queueMax, gather })
    const measures = new Measures(deps)
    const onParked = (dueAt: Date) => this.retries.noteDue(dueAt)
    const common = {
      ...deps,
      durable,
      lanes,
      copies,
      measures,
      settlement: this.#settlement,
      underWay: this.underWay,
      onParked,
    }
    this.#deps = { ...common, journal, answerWithinMs }
    const concurrency = options.retryConcurrency
    this.retries = new RetryQueue({ ...common, answerWithinMs, channelOf, allowance, concurrency })
  }

  /** What others left unfinished is taken up in the background: a start does not wait for it. */
  async start(): Promise<void> {
    await this.#deps.copies.start()
    this.retries.start()
  }

  /** Resolves when everything that the sender is told has been sent. */
  async receive(incoming: Incoming): Promise<void> {
    try {
      if (this.#isStopping) throw unavailable('The bridge is stopping. Send the message again in a moment.')
      await runPipeline(incoming, this.#deps)
    } catch (thrown) {
      this.#deps.measures.notTaken(incoming.channel)
      throw thrown
    }
  }

  /** Whoever waits for a turn is parked from now on, so that listeners can answer and close. */
  beginStop(): void {
    this.#deps.lanes.giveUpAll()
  }

  /** Finishes what is under way, for a while; what is not finished by then is free for other copies. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true
    const { clock, lanes, journal, copies } = this.#deps
    await this.retries.stop()
    lanes.giveUpAll()
    const grace = new AbortController()
    await Promise.race([this.underWay.idle(), clock.sleep(graceMs, grace.signal)])
    grace.abort()
    await journal.close()
    await this.#settlement.close()
    await copies.stop()
  }
}
