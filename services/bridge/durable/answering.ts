import { wantsAnswer, type AnswerDeps, type Message } from '../../../packages/hl7/index.ts'
import { answerTo, codeOf, type AnswerPlan } from '../pipeline/7-ack.ts'
import { knownAtReceipt, type Outcome } from '../pipeline/outcome.ts'

/** What is answered to an outcome: nothing, when nobody wants to hear of it. */
export type Answering = (outcome: Outcome) => Answer | undefined

interface Answer {
  readonly code: string
  readonly bytes: Uint8Array
  /** CA, sent when the message was journaled: it is logged as the answer where no other follows. */
  readonly hasLeft?: true
}

/**
 * What goes into the log as the answer of a message, and onto the wire when it is through unless it has left before.
 * @param accept CA, where it was sent
 */
export function answeringFor(
  message: Message,
  plan: AnswerPlan,
  accept: Uint8Array | undefined,
  deps: AnswerDeps,
): Answering {
  return (outcome) => {
    if (plan.applicationWhen === 'journaled') return { code: 'AA', bytes: answerToAccepted(message, deps) }
    const code = codeOf(outcome)
    if (wantsAnswer(plan.application, code)) return { code, bytes: answerTo(message, outcome, deps) }
    return accept && { code: 'CA', bytes: accept, hasLeft: true }
  }
}

/** AA for a message that is journaled, whatever becomes of it. */
export const answerToAccepted = (message: Message, deps: AnswerDeps): Uint8Array => answerTo(message, accepted, deps)

const accepted: Outcome = { ...knownAtReceipt, status: 'SUCCESS' }
