import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids, Random } from '../../../packages/clock/ids.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import { parseMessage } from '../../../packages/hl7/index.ts'
import type { Log } from '../../../packages/log/log.ts'
import { Bell } from '../../../packages/sql/tasks/bell.ts'
import { withoutCertificates, type Channel, type ChannelId } from '../pipeline/channel.ts'
import { readIncoming } from '../pipeline/1-receive.ts'
import { answerPlan, hearsOfNoFailure } from '../pipeline/7-ack.ts'
import { headerOf } from '../pipeline/header.ts'
import { answeringFor, type Answering } from './answering.ts'
import type { Claimed } from './claims.ts'
import { failedInside } from './conclude.ts'
import type { Copies } from './copies.ts'
import type { DurableStore } from './durable-store.ts'
import type { LaneQueue } from './lane-queue.ts'
import type { Measures } from './measures.ts'
import { runWork, type RunWorkDeps } from './run-work.ts'
import { contentHash, seenKey } from '../pipeline/seen-key.ts'
import type { UnderWay } from './under-way.ts'
import type { Work } from './work.ts'

export interface RetryQueueDeps extends RunWorkDeps {
  readonly durable: DurableStore
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly log: Log
  readonly copies: Copies
  readonly lanes: LaneQueue
  readonly measures: Measures
  readonly underWay: UnderWay
  readonly channelOf: (id: ChannelId) => Channel
  /** With how many messages at once the store may be tried: none while its circuit is open, a few while it is half-open. */
  readonly allowance: () => number
  readonly concurrency: number
  /** Told which change of the terminology was the last when something was claimed. */
  readonly hearTerms?: ((version: string) => void) | undefined
}

/**
 * Runs what is parked, when it is due and first in its lanes: messages that waited for the store, those that a dead
 * copy left behind, and those that an operator wants again.
 */
export class RetryQueue {
  readonly #deps: RetryQueueDeps
  readonly #bell = new Bell()
  readonly #stopping = new AbortController()
  #running = 0
  #nextDueMs = Number.POSITIVE_INFINITY
  #sweptMs = Number.NEGATIVE_INFINITY
  #loop: Promise<void> | undefined

  constructor(deps: RetryQueueDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  /** Something may be due: look now. */
  wake(): void {
    this.#bell.ring()
  }

  /** One of ours is due at this time: look then rather than at the next poll. */
  noteDue(at: Date): void {
    if (at.getTime() >= this.#nextDueMs) return
    this.#nextDueMs = at.getTime()
    this.#bell.ring()
  }

  /** Everything that waits for a time is tried now; the answer is how much that is. */
  async drainNow(): Promise<number> {
    const { durable, clock } = this.#deps
    const count = await durable.makeAllDue(clock.now())
    this.wake()
    return count
  }

  /** Claims nothing more. What is under way is waited for by whoever stops everything. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#bell.ring()
    await this.#loop
  }

  async #run(): Promise<void> {
    const { clock, log, copies } = this.#deps
    while (!this.#stopping.signal.aborted) {
      try {
        if ((await this.#claim()) > 0) continue
        await this.#lookAfterOthers()
      } catch (thrown) {
        log.warn('bridge.retry-queue-failed', { error: faultOf(thrown).message })
        copies.suspectUnknown() // what we claimed and never heard of stands under our name
      }
      await this.#bell.wait(clock, this.#restMs())
    }
  }

  /** Until the next poll, or until one of ours is due. Chance keeps the copies from polling in step. */
  #restMs(): number {
    const { clock, random, lanes } = this.#deps
    const poll = Math.round(pollMs * (0.8 + 0.4 * random.fraction()))
    const untilDue = Math.max(1, this.#nextDueMs - clock.now().getTime())
    return Math.min(poll, untilDue, lanes.behindOthers.length > 0 ? othersMs : poll)
  }

  async #claim(): Promise<number> {
    const { durable, clock, copies, concurrency, allowance, hearTerms } = this.#deps
    const free = concurrency - this.#running
    const limit = Math.min(free, allowance() - this.#running)
    // Even when nothing may be claimed: a time that has passed would wake us every millisecond of an open circuit.
    if (this.#nextDueMs <= clock.now().getTime()) this.#nextDueMs = Number.POSITIVE_INFINITY
    // Not for every place that becomes free: a claim of many costs little more than a claim of one.
    if (limit <= 0 || free < concurrency / 4) return 0
    const copy = copies.id
    using _claiming = copies.keepUnknown()
    const claimed = await durable.claimDue(copy, limit, clock.now())
    // Before any of them runs: it may be run again because somebody has told another copy what its codes mean.
    for (const { termsVersion } of claimed) hearTerms?.(termsVersion)
    // Under a name that has ended meanwhile: whoever takes it over takes these as well.
    if (copy !== copies.id) return 0
    for (const one of claimed) this.#begin(one, copy)
    return claimed.length
  }

  #begin(claimed: Claimed, copy: string): void {
    const { log, copies } = this.#deps
    const { transactionId } = claimed
    this.#running++
    this.#afterItsLastRun(claimed, copy)
      .catch((thrown: unknown) => {
        const { kind, message } = faultOf(thrown)
        log.warn('bridge.retry-failed', { transactionId, faultKind: kind, error: message })
        copies.suspectUnknown()
      })
      .finally(() => {
        this.#running--
        this.#bell.ring() // the next one of its patient may be due now
      })
  }

  /** What we have parked a moment ago may be claimed before the answer to its COMMIT was read. */
  async #afterItsLastRun(claimed: Claimed, copy: string): Promise<void> {
    const { underWay } = this.#deps
    const earlier = underWay.endOf(claimed.transactionId)
    if (earlier !== undefined) await earlier.catch(() => {})
    const end = this.#seeThrough(claimed, copy)
    underWay.begin(claimed.transactionId, undefined, end)
    await end
  }

  async #seeThrough(claimed: Claimed, copy: string) {
    const { lanes } = this.#deps
    const turn = lanes.enter(claimed.transactionId, claimed.places, 'nobody')
    const work = workOf(claimed, copy, this.#deps.channelOf(claimed.channelId))
    const isPoison = claimed.runsWithoutEnd > unfinishedRunsMax
    const runStages = isPoison ? async () => poison : this.#deps.runStages
    return runWork(work, turn, this.#answering(claimed, work), { ...this.#deps, runStages })
  }

  /**
   * Nobody waits for the answer. Of a message that has none yet it is kept all the same: its sender comes again with the
   * same control id, and gets it then. Whether CA has left, the copy that died knew.
   */
  #answering({ status }: Claimed, { message, channel }: Work): Answering {
    if (status !== undefined) return () => undefined
    return answeringFor(message, answerPlan(message, channel.ackMode), undefined, this.#deps)
  }

  /** What is seldom to be done: those that wait for other copies, those whose turn was missed, the gauges. */
  async #lookAfterOthers(): Promise<void> {
    const { durable, lanes, measures, clock } = this.#deps
    const waiting = lanes.behindOthers
    if (waiting.length > 0) {
      for (const { transactionId, isBlocked, isBehindParked } of await durable.lookAhead(waiting)) {
        if (isBehindParked) lanes.giveUp(transactionId)
        else if (!isBlocked) lanes.othersAreGone(transactionId)
      }
      return
    }
    // By time: whatever ends rings the bell, and with many parked a sweep costs more than a message.
    if (clock.monotonicMs() - this.#sweptMs < sweepMs) return
    this.#sweptMs = clock.monotonicMs()
    const { depth, oldest } = await durable.queueState()
    measures.queue(depth, oldest)
    if (depth > 0 && (await durable.letStrandedGo()) > 0) this.#bell.ring()
  }
}

const pollMs = 1_000
const othersMs = 50
const sweepMs = 5_000

/**
 * One that never came to an end so often is what ends the process, or its end cannot be written: then every message of its
 * patient would wait for it without end. It may be one that was parked or that an operator wants again.
 */
const unfinishedRunsMax = 25
// How far it came died with those who ran it.
const poisonText = `The message was begun ${unfinishedRunsMax} times and never ended. It is kept.`
const poison = failedInside('ENRICH', 'POISON', poisonText)

function workOf(claimed: Claimed, copy: string, channel: Channel): Work {
  const { raw, attempt, attemptLimit, run, places, parent, transactionId, peer, receivedAt, wasEnded, hasSucceeded } =
    claimed
  // What was journaled was readable and allowed; the rules may have changed since, its receipt has not.
  const read = readIncoming(raw, withoutCertificates(channel), { address: peer, port: 0, certificateName: undefined })
  const { message = parseMessage('MSH|^~\\&|') } = read
  const content = contentHash(raw)
  return {
    ...{ transactionId, channel, message, header: headerOf(message), facility: read.facility },
    ...{ copy, places, parent, attempt, attemptLimit, run, peer, receivedAt, wasEnded, hasSucceeded },
    key: seenKey(message, content) ?? content,
    patientKeys: read.patientKeys,
    byteLength: raw.length,
    wasParked: true,
    isFirstEnd: claimed.status === undefined,
    // One without an end was left by a copy that died; its sender may have been told CA, or waits for nothing.
    isAcknowledged: claimed.wasAccepted || hearsOfNoFailure(answerPlan(message, channel.ackMode)),
  }
}
