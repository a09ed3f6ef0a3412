import { splitBatch, type Message } from '../../../packages/hl7/index.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import { failureAnswer } from '../../../packages/hl7/mllp/failure-answer.ts'
import { answeringFor, answerToAccepted } from './answering.ts'
import type { Arrival, Incoming } from './arrival.ts'
import type { Fresh } from './journal.ts'
import type { LaneWatch } from './lane-memory.ts'
import type { PipelineDeps } from './pipeline-deps.ts'
import { repeatAnswer, settleAlone } from './repeat-answer.ts'
import { runWork, type Ended } from './run-work.ts'
import { makeTransactionId } from '../store/transaction-id.ts'
import { readTooLarge } from './too-large.ts'
import type { MessageFacts, Work } from './work.ts'
import { readIncoming, type Read, type Refused } from '../pipeline/1-receive.ts'
import {
  acceptBytes,
  answerPlan,
  hearsOfNoFailure,
  refusalAnswer,
  type AnswerPlan,
  type FirstAnswer,
} from '../pipeline/7-ack.ts'
import { kept } from '../pipeline/header.ts'
import type { Received } from '../pipeline/received.ts'

/**
 * The seven stages, in the order in which every message passes through them: RECEIVE (read, journal, duplicates, turn),
 * ENRICH, TRANSFORM, GOVERN and PERSIST (`runStages`), DISPATCH (deliveries and audit become durable with the end of the
 * message, and leave afterwards), ACK. Resolves when everything that the sender is told has been sent.
 */
export async function runPipeline(incoming: Incoming, deps: PipelineDeps): Promise<void> {
  deps.passBoundary('framed')
  if (incoming.tooLarge !== undefined) return refuseTooLarge(incoming, incoming.tooLarge, deps)
  const { messages, isOfDifferingBatch } = messagesOf(incoming, deps)
  for (const [index, bytes] of messages.entries()) {
    // Before anything of it is begun: whoever waits here has all of its time still before it.
    if (index > 0 && (await incoming.turn?.()) === false) return
    const answer = await (bytes === incoming.bytes
      ? runMessage(incoming, deps)
      : runOfBatch({ ...incoming, bytes, isOfDifferingBatch }, deps))
    if (answer === undefined) continue
    deps.passBoundary('before-ack')
    await incoming.send(answer)
    deps.passBoundary('acked')
  }
}

/** Whoever sends an envelope around nothing waits for an answer too: it is refused, and logged, as what it is. */
function messagesOf(
  { bytes, channel, peer }: Incoming,
  { log }: PipelineDeps,
): { readonly messages: readonly Uint8Array[]; readonly isOfDifferingBatch: boolean } {
  const { messages, issues } = splitBatch(bytes)
  const from = { channel: channel.id, host: peer.address }
  for (const { text } of issues) log.warn('bridge.batch-differs', { ...from, error: text })
  return { messages: messages.length === 0 ? [bytes] : messages, isOfDifferingBatch: issues.length > 0 }
}

/** A message of a batch that fails must leave the others their turn and their answers. */
async function runOfBatch(incoming: Incoming, deps: PipelineDeps): Promise<Uint8Array | undefined> {
  const { bytes, channel, peer } = incoming
  let isAccepted = false
  const markAccepted = () => {
    isAccepted = true
  }
  const send: Incoming['send'] = (answer) => {
    markAccepted()
    return incoming.send(answer)
  }
  try {
    return await runMessage({ ...incoming, send, markAccepted }, deps)
  } catch (failure) {
    const { kind, message: text, logged = text } = faultOf(failure)
    const told = { channel: channel.id, host: peer.address, faultKind: kind, error: logged }
    deps.log.error('bridge.message-of-batch-failed', told)
    deps.measures.notTaken(channel)
    const wanted = (message: Message | undefined) => answerPlan(message, channel.ackMode)
    return failureAnswer({ bytes, failure, wanted, isAccepted }, deps)
  }
}

/** Whoever asks where their message is must find it: how it began is kept in its place, and nobody can run that. */
async function refuseTooLarge(
  incoming: Incoming,
  { length, frameBytesMax }: NonNullable<Incoming['tooLarge']>,
  deps: PipelineDeps,
): Promise<void> {
  const { bytes: head, channel, peer } = incoming
  const read = readTooLarge(head, frameBytesMax, channel, peer)
  const facts = factsOf(read, { receivedAt: deps.clock.now(), byteLength: length }, incoming, deps)
  const answer = await refuseMessage(read, facts, answerPlan(read.message, channel.ackMode), incoming, deps)
  if (answer !== undefined) await incoming.send(answer)
}

/** One message of a frame; gives its last answer. */
async function runMessage(incoming: Incoming, deps: PipelineDeps): Promise<Uint8Array | undefined> {
  const { bytes, channel, peer } = incoming
  await deps.underWay.room()
  const receivedAt = deps.clock.now()
  const read = readIncoming(bytes, channel, peer)
  const facts = factsOf(read, { receivedAt, byteLength: bytes.length }, incoming, deps)
  const plan = answerPlan(read.message, channel.ackMode)
  if (read.refused !== undefined) return refuseMessage(read, facts, plan, incoming, deps)
  const arrival = { read, facts, plan, accept: acceptBytes(read.message, plan, deps), incoming }
  const holder = deps.underWay.holderOf(read.key)
  if (holder !== undefined) {
    // Not before the first one is durable: CA, or an AA that is told at once, would be for a message that nobody has.
    const content = await holder.firstContent
    return repeatAnswer(arrival, { of: holder.transactionId, content }, deps)
  }
  return takeMessage(arrival, deps)
}

function factsOf(
  { facility, header, patientKeys }: Read,
  { receivedAt, byteLength }: Pick<MessageFacts, 'receivedAt' | 'byteLength'>,
  { channel, peer }: Incoming,
  { ids }: PipelineDeps,
): MessageFacts {
  return {
    transactionId: makeTransactionId(facility === '' ? channel.id.toUpperCase() : facility, receivedAt, ids),
    ...{ channel, header, facility, receivedAt, patientKeys, byteLength },
    peer: peer.address,
    certificateName: peer.certificateName && kept(peer.certificateName),
  }
}

/** Not journaled first: nobody works on it, so its end is all there is to write down. */
async function refuseMessage(
  { message, refused }: Refused,
  facts: MessageFacts,
  plan: AnswerPlan,
  { bytes }: Incoming,
  deps: PipelineDeps,
): Promise<Uint8Array | undefined> {
  const answer = refusalAnswer(message, refused, plan, deps)
  await settleAlone(facts, refused, answer && { code: answer.code, bytes: answer.message.bytes }, bytes, deps)
  return answer?.message.bytes
}

/** Journals the message and sees it through. Duplicates that come meanwhile wait for its end. */
async function takeMessage(arrival: Arrival, deps: PipelineDeps): Promise<Uint8Array | undefined> {
  const { read, facts, incoming } = arrival
  const end = Promise.withResolvers<FirstAnswer>()
  end.promise.catch(() => {}) // whoever waits for it hears of it; often that is nobody
  const first = Promise.withResolvers<Buffer>()
  first.promise.catch(() => {})
  deps.underWay.begin(facts.transactionId, { key: read.key, firstContent: first.promise }, end.promise)
  let running: Promise<Ended>
  try {
    const journaling = deps.journal.add({ ...facts, ...read, channelId: facts.channel.id, ...forJournal(incoming) })
    const foreseenFor = foresight(arrival, deps)
    const journaled = await journaling
    if (journaled.duplicateOf !== undefined) {
      const { duplicateOf: of, firstContent: content } = journaled
      first.resolve(content)
      const answer = await repeatAnswer(arrival, { of, content }, deps, end.resolve)
      return answer
    }
    first.resolve(read.content)
    incoming.markAccepted()
    deps.passBoundary('journaled')
    deps.measures.stage('RECEIVE', deps.clock.now().getTime() - facts.receivedAt.getTime())
    const work = { ...workOf(arrival, journaled), foreseen: foreseenFor(journaled) }
    const { plan, accept } = arrival
    running = runWork(work, journaled.turn, answeringFor(read.message, plan, accept, deps), deps)
    running.then(end.resolve, end.reject)
  } catch (thrown) {
    // The COMMIT may have gone through all the same; then the journal has a message that nobody works on.
    deps.copies.suspectUnknown()
    first.reject(thrown)
    end.reject(thrown)
    throw thrown
  }
  return answerOfRunning(running, arrival, deps)
}

/**
 * Begins to look up what ENRICH needs while the message is being journaled. Nothing of it is used, and nobody hears of
 * it, before the message is durable; nor when another message of the patient came in between.
 */
function foresight(
  { read: { message, lanes: own }, facts: { channel, receivedAt } }: Arrival,
  { lanes, underWay, foresee }: PipelineDeps,
): (journaled: Fresh) => Received['foreseen'] {
  if (foresee === undefined) return () => undefined
  let watch: LaneWatch | undefined
  let foreseen: Received['foreseen']
  // When the journal's statements have left: they are what the sender waits for.
  setImmediate(() => {
    // What several ask is asked together when they are journaled, which costs less than what each asks for itself.
    if (underWay.size > 1) return
    watch = lanes.watch(own)
    if (watch?.isLikelyQuiet === true) foreseen = foresee({ message, channel, receivedAt })
    foreseen?.catch(() => {}) // whoever uses it hears of it
  })
  return ({ places }) => (watch?.wasQuiet(places) === true ? foreseen : undefined)
}

const forJournal = ({ bytes, channel }: Incoming) => ({ bytes, attemptLimit: channel.retry.maxAttempts })

async function answerOfRunning(
  running: Promise<Ended>,
  { read: { message }, plan, accept, incoming }: Arrival,
  deps: PipelineDeps,
): Promise<Uint8Array | undefined> {
  // Whoever answers before the end must not leave a rejection unheard when the connection breaks meanwhile.
  running.catch((thrown: unknown) => deps.log.warn('bridge.message-failed', { error: faultOf(thrown).message }))
  if (accept !== undefined) await incoming.send(accept)
  if (plan.applicationWhen === 'journaled') return answerToAccepted(message, deps)
  if (plan.application === 'NE') return undefined
  return (await running).answer
}

const workOf = ({ read, facts, plan, incoming }: Arrival, { places, copy, parent }: Fresh): Work => ({
  ...facts,
  ...{ message: read.message, key: read.key, places, copy, parent },
  ...{
    attempt: 1,
    attemptLimit: facts.channel.retry.maxAttempts,
    run: 1,
    wasParked: false,
    wasEnded: false,
    hasSucceeded: false,
    isFirstEnd: true,
  },
  isAcknowledged: hearsOfNoFailure(plan),
  isOfDifferingBatch: incoming.isOfDifferingBatch === true,
})
