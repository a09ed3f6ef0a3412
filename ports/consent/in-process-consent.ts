import { beforeAbort } from '../../packages/clock/before-abort.ts'
import type { Clock } from '../../packages/clock/clock.ts'
import { faultOf, unavailable } from '../../packages/faults/fault.ts'
import type { Consent, ConsentContext, ConsentQuestion } from './consent.ts'
import { readAnswer, unanswered } from './read-answer.ts'

/** The use case of the consent service itself, with its checks and its audit. */
export type EvaluateInProcess = (question: ConsentQuestion, context: ConsentContext) => Promise<unknown>

export interface InProcessConsentOptions {
  readonly evaluate: EvaluateInProcess
  readonly clock: Clock
  readonly deadlineMs?: number
}

/** The consent service of the same process. */
export function inProcessConsent({ evaluate, clock, deadlineMs = 3_000 }: InProcessConsentOptions): Consent {
  return {
    async evaluate(question, context = {}) {
      using deadline = clock.deadline(deadlineMs, () => tooSlow(deadlineMs))
      const signal = context.signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, context.signal])
      try {
        signal.throwIfAborted()
        return readAnswer(await beforeAbort(evaluate(question, context), signal))
      } catch (thrown) {
        return unanswered(faultOf(thrown))
      }
    },
  }
}

const tooSlow = (deadlineMs: number) =>
  unavailable(`The consent service did not answer within ${deadlineMs} ms.`, { code: 'GATEWAY_TIMEOUT' })
