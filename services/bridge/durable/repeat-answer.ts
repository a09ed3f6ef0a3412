import { wantsAnswer } from '../../../packages/hl7/index.ts'
import { duplicateAnswer, type FirstAnswer } from '../pipeline/7-ack.ts'
import { firstAnswer } from './first-answer.ts'
import type { Arrival } from './arrival.ts'
import type { PipelineDeps } from './pipeline-deps.ts'
import { finishedOf, type MessageFacts } from './work.ts'

/**
 * The end of a message that was there before: the first one's answer, and a line of its own in the log.
 * @param first whose end is waited for, and what the first message of the key says
 */
export async function repeatAnswer(
  { read, facts, plan, accept, incoming }: Arrival,
  first: { readonly of: string; readonly content: Buffer },
  deps: PipelineDeps,
  onKnown: (answer: FirstAnswer) => void = () => {},
): Promise<Uint8Array | undefined> {
  if (accept !== undefined) await incoming.send(accept)
  const isAnswered = plan.applicationWhen === 'journaled' || plan.application === 'NE'
  const waitMs = deps.answerWithinMs * duplicateShare
  const known: FirstAnswer = isAnswered ? { code: 'AA' } : await firstAnswer(first.of, waitMs, deps)
  const of = known.of ?? first.of
  onKnown({ ...known, of })
  const hasOtherContent = !first.content.equals(read.content)
  const told = hasOtherContent ? withoutReply(known) : known
  const answer = wantsAnswer(plan.application, known.code) ? duplicateAnswer(read.message, told, deps) : undefined
  const answerBytes = answer instanceof Uint8Array ? answer : answer?.bytes
  const last = answerBytes && { code: known.code, bytes: answerBytes }
  const sent = last ?? (accept && { code: 'CA', bytes: accept })
  const raw = hasOtherContent ? incoming.bytes : undefined
  await settleAlone(facts, { status: 'DUPLICATE', of, hasOtherContent }, sent, raw, deps)
  return answerBytes
}

/** The records that the first one's answer names are not those that this message holds. */
const withoutReply = ({ reply: _reply, ...known }: FirstAnswer): FirstAnswer => known

const duplicateShare = 0.8

/** The end of a message that nobody works on: it is all there is to write down. */
export async function settleAlone(
  facts: MessageFacts,
  outcome: Parameters<typeof finishedOf>[1]['outcome'],
  answer: { readonly code: string; readonly bytes: Uint8Array } | undefined,
  raw: Uint8Array | undefined,
  deps: PipelineDeps,
): Promise<void> {
  using deadline = deps.clock.deadline(deps.answerWithinMs / 2)
  const finished = finishedOf(facts, { at: deps.clock.now(), attempt: 1, ackCode: answer?.code, outcome })
  const { facility, patientKeys, byteLength, certificateName } = facts
  const known = { facility, patientKeys, byteLength, certificateName }
  const item = { finished, channelId: facts.channel.id, ...known, isFirstEnd: true }
  await deps.settlement.settle(
    { ...item, parent: undefined, ack: answer?.bytes, work: undefined, raw },
    deadline.signal,
  )
  deps.passBoundary('settled')
  deps.measures.ended(facts, outcome, answer?.code)
}
