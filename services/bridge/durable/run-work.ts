import type { Clock } from '../../../packages/clock/clock.ts'
import type { Random } from '../../../packages/clock/ids.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { FirstAnswer } from '../pipeline/7-ack.ts'
import { codeOf, issuesOf } from '../pipeline/7-ack.ts'
import type { Outcome } from '../pipeline/outcome.ts'
import type { Received } from '../pipeline/received.ts'
import type { LaterStage } from '../pipeline/stage.ts'
import type { PassBoundary } from '../pipeline/boundaries.ts'
import type { Answering } from './answering.ts'
import { conclude, failedInside, parkedBehind } from './conclude.ts'
import type { Copies } from './copies.ts'
import type { LaneQueue, Turn } from './lane-queue.ts'
import type { Measures } from './measures.ts'
import type { Settlement } from './settlement.ts'
import type { Settling } from './settling.ts'
import { isAnsweredWhole } from './whole-answer.ts'
import { batchDiffers, finishedOf, type Work } from './work.ts'

export interface RunWorkDeps {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly lanes: LaneQueue
  readonly copies: Copies
  readonly settlement: Settlement
  readonly measures: Measures
  readonly passBoundary: PassBoundary
  /** ENRICH, TRANSFORM, GOVERN and PERSIST. */
  readonly runStages: (received: Received) => Promise<Outcome>
  /** A message was parked until this time. */
  readonly onParked: (dueAt: Date) => void
  /** From the receipt, or the claim, of a message to its answer. */
  readonly answerWithinMs: number
}

export interface Ended extends FirstAnswer {
  readonly outcome: Outcome
  readonly answer: Uint8Array | undefined
}

/** Sees a journaled message through: its turn, the stages, and the second durable point. */
export async function runWork(
  work: Work,
  turn: Promise<Turn>,
  answering: Answering,
  deps: RunWorkDeps,
): Promise<Ended> {
  const { clock, copies, lanes } = deps
  // One signal of two: AbortSignal.any would hang on the copy's for as long as the copy lives.
  const ending = new AbortController()
  const { signal } = ending
  using deadline = clock.deadline(deps.answerWithinMs * workShare)
  deadline.signal.addEventListener('abort', () => ending.abort(deadline.signal.reason), { once: true })
  using _lease = copies.whenLost(work.copy, (reason) => ending.abort(reason))
  let how: 'done' | 'parked' = 'parked'
  try {
    const outcome = noticed(await outcomeOf(work, turn, signal, deps), work)
    const now = clock.now()
    const { outcome: end, park } = conclude(outcome, work, work.channel.retry, { now, random: deps.random })
    const answer = answering(end)
    const settledFromMs = clock.monotonicMs()
    await settle(settlingOf(work, end, park, answer, now), signal, deps)
    deps.passBoundary('settled')
    deps.measures.stage('ACK', clock.monotonicMs() - settledFromMs)
    if (park === undefined) how = 'done'
    else deps.onParked(park.dueAt)
    deps.measures.ended(work, end, answer?.code)
    return { code: codeOf(end), ...toldAgain(end), outcome: end, answer: answer?.hasLeft ? undefined : answer?.bytes }
  } catch (thrown) {
    // Its row still carries our name, or has become another's: somebody runs it again.
    copies.suspectUnknown()
    throw thrown
  } finally {
    lanes.leave(work.transactionId, how, work.wasParked)
  }
}

const noticed = (outcome: Outcome, { isOfDifferingBatch = false }: Work): Outcome =>
  isOfDifferingBatch ? { ...outcome, warnings: { ...outcome.warnings, [batchDiffers]: 1 } } : outcome

/** What duplicates are told beside the code. */
function toldAgain(end: Outcome): Pick<FirstAnswer, 'issues' | 'reply'> {
  if (end.status === 'QUEUED') return {}
  const whole = end.reply === undefined ? {} : { reply: end.reply.bytes }
  return end.status === 'ERROR' ? { issues: issuesOf(end), ...whole } : whole
}

/** The rest of the time is for writing down how it ended. */
const workShare = 0.85
/** Whose turn has not come after this share of the time is parked rather than left without an answer. */
const turnShare = 0.5

async function outcomeOf(work: Work, turn: Promise<Turn>, signal: AbortSignal, deps: RunWorkDeps): Promise<Outcome> {
  if ((await turnInTime(work, turn, deps)) === 'park') return parkedBehind
  const { transactionId, channel, message, receivedAt, attempt, run, wasEnded, copy, foreseen } = work
  const checkHeld = () => deps.copies.checkHeld(copy)
  let stage: LaterStage = 'ENRICH'
  const enters = (next: LaterStage) => {
    stage = next
  }
  try {
    const wasRefused = work.parent !== undefined
    const of = { transactionId, channel, message, receivedAt, attempt, run, wasRefused, wasEnded, foreseen }
    const running = deps.runStages({ ...of, signal, checkHeld, enters })
    return await Promise.race([running, timeOver(signal, () => stage)])
  } catch (thrown) {
    const { kind, message: error, logged } = faultOf(thrown)
    deps.log.error('bridge.stages-failed', { transactionId, faultKind: kind, error: logged ?? error })
    return failedInside(stage, 'INTERNAL', 'The message could not be processed because of an error of ours.')
  }
}

async function turnInTime({ transactionId }: Work, turn: Promise<Turn>, deps: RunWorkDeps): Promise<Turn> {
  const { clock, lanes, answerWithinMs } = deps
  using patience = clock.deadline(answerWithinMs * turnShare)
  patience.signal.addEventListener('abort', () => lanes.giveUp(transactionId), { once: true })
  return await turn
}

/** The stages heed the signal; this is for a dependency that does not. */
const timeOver = (signal: AbortSignal, stageNow: () => LaterStage): Promise<Outcome> =>
  new Promise((resolve) => {
    const text = 'The message took too long.'
    const late = () => {
      const failed = failedInside(stageNow(), 'TIMEOUT', `${text} Send it again later.`)
      resolve({ ...failed, later: { errorMessage: text, wasCalled: true } })
    }
    if (signal.aborted) late()
    else signal.addEventListener('abort', late, { once: true })
  })

function settlingOf(
  work: Work,
  outcome: Outcome,
  park: { readonly dueAt: Date; readonly attempt: number } | undefined,
  answer: ReturnType<Answering>,
  at: Date,
): Settling {
  const { facility, patientKeys, byteLength, parent, copy, places, key, run, wasParked, isFirstEnd, attempt } = work
  const finished = finishedOf(work, { at, attempt, ackCode: answer?.code, outcome })
  return {
    finished: work.hasSucceeded ? { ...finished, isRerun: true } : finished,
    channelId: work.channel.id,
    ...{ facility, patientKeys, byteLength, parent, isFirstEnd },
    ack: answer?.bytes,
    work: { copy, places, key, run, wasParked, park, staysRefused: isAnsweredWhole(work.message) },
    raw: undefined,
  }
}

/** An end that cannot be written because of a delivery or an audit record is written without: it must not be lost. */
async function settle(item: Settling, signal: AbortSignal, deps: RunWorkDeps): Promise<void> {
  try {
    await deps.settlement.settle(item, signal)
  } catch (thrown) {
    const { kind, message, logged } = faultOf(thrown)
    if (kind === 'unavailable' || kind === 'too-much') throw thrown
    const { transactionId } = item.finished
    deps.log.error('bridge.end-not-written', { transactionId, faultKind: kind, error: logged ?? message })
    await deps.settlement.settleAlone(item)
  }
}
