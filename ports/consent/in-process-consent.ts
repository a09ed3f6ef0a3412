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
      try {
        return readAnswer(await before(deadline.signal, context.signal, () => evaluate(question, context)))
      } catch (thrown) {
        return unanswered(faultOf(thrown))
      }
    },
  }
}

const tooSlow = (deadlineMs: number) =>
  unavailable(`The consent service did not answer within ${deadlineMs} ms.`, { code: 'GATEWAY_TIMEOUT' })

/** The work's outcome, unless the deadline passes or the caller goes first. */
function before<T>(deadline: AbortSignal, gone: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    for (const signal of [deadline, ...(gone === undefined ? [] : [gone])]) {
      if (signal.aborted) return reject(signal.reason)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    }
    return void work().then(resolve, reject)
  })
}
