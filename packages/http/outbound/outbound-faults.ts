import { Fault, unavailable } from '../../faults/fault.ts'
import { AnswerTooLarge, NeverConnected, NeverHadTurn } from './exchange.ts'

const lateCode = 'GATEWAY_TIMEOUT'

/** What went wrong with a call, with the dependency's name and without its words. */
export function failedCall(error: unknown, signal: AbortSignal, name: string): Fault {
  const reason: unknown = signal.aborted ? signal.reason : error
  if (reason instanceof Fault) {
    const wasUnsent = error instanceof NeverConnected || error instanceof NeverHadTurn
    return wasUnsent && reason.code === lateCode
      ? unavailable(reason.message, { code: lateCode, cause: error })
      : reason
  }
  if (signal.aborted) return unavailable(`The call to the ${name} was given up.`, { code: 'CALL_GIVEN_UP' })
  if (error instanceof AnswerTooLarge) {
    return unavailable(`The ${name} gave a larger answer than is read.`, { code: 'BAD_GATEWAY' })
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code'
  const what = hasHungUp(error, code) ? 'closed the connection before it answered' : 'cannot be reached'
  return unavailable(`The ${name} ${what}.`, { code: 'BAD_GATEWAY', logged: code, cause: error })
}

/** It took the connection: what was sent may have been heard. */
const hasHungUp = (error: unknown, code: string): boolean =>
  !(error instanceof NeverConnected) && (code === 'ECONNRESET' || code === 'EPIPE')

/** Whether no connection was there, so that nothing was asked of anybody. */
export const wasNeverConnected = ({ cause }: Fault): boolean => cause instanceof NeverConnected

/** Whether it waited for others to the same place until its time was over. */
export const neverHadTurn = ({ cause }: Fault): boolean => cause instanceof NeverHadTurn

export const lateCall = (name: string, deadlineMs: number) =>
  unavailable(`The ${name} did not answer within ${deadlineMs} ms.`, { code: lateCode })

export const unreadableAnswer = (name: string, cause: unknown) =>
  unavailable(`The ${name} gave an answer that cannot be read.`, { code: 'BAD_GATEWAY', cause })

export const unexpectedAnswer = (name: string, status: number) =>
  unavailable(`The ${name} answered with status ${status}.`, { code: 'BAD_GATEWAY' })
