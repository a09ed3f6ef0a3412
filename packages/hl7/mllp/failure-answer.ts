import { acknowledgementOf } from '../../faults/render.ts'
import { faultOf } from '../../faults/fault.ts'
import { acknowledge, refuse, type AckCode, type AnswerDeps } from '../acknowledge.ts'
import { acceptCode, acknowledgementMode, wantsAnswer, type AcknowledgementMode } from '../acknowledgement-mode.ts'
import { Hl7Fault } from '../hl7-fault.ts'
import { errorTexts, type ErrorCode, type Issue } from '../issue.ts'
import type { Message } from '../message.ts'
import { tryParseMessage } from '../parse.ts'

/** Which answers the sender of a message listens to. */
export type AnswersWanted = (message: Message) => Pick<AcknowledgementMode, 'accept' | 'application'>

export interface FailureOf {
  readonly bytes: Uint8Array
  /** Undefined for a message whose frame was too large. */
  readonly failure: unknown
  /** As MSH-15 and MSH-16 say unless given. */
  readonly wanted?: AnswersWanted | undefined
  /** True when the message was safe before, whether or not its sender was told: only the application can still say no. */
  readonly isAccepted?: boolean
}

/** The NACK for a message whose handling failed, of the level that its sender listens to; undefined when of none. */
export function failureAnswer({ failure, ...of }: FailureOf, deps: AnswerDeps): Uint8Array | undefined {
  if (failure === undefined) return nack(of, 'AR', tooLarge, deps)
  if (failure instanceof Hl7Fault) return nack(of, 'AR', failure.issue, deps)
  const { ackCode, errorCode, text } = acknowledgementOf(faultOf(failure))
  return nack(of, ackCode, { code: isErrorCode(errorCode) ? errorCode : '207', severity: 'E', text }, deps)
}

function nack(
  { bytes, wanted = acknowledgementMode, isAccepted = false }: Omit<FailureOf, 'failure'>,
  application: 'AE' | 'AR',
  issue: Issue,
  deps: AnswerDeps,
): Uint8Array | undefined {
  const { message, refused } = tryParseMessage(bytes)
  const header = message ?? refused?.header
  if (header === undefined) return refuse(new Hl7Fault(issue), deps).bytes
  const code = levelOf(application, wanted(header), isAccepted)
  return code && acknowledge(header, { code, text: issue.text, issues: [issue] }, deps).bytes
}

function levelOf(code: 'AE' | 'AR', wanted: ReturnType<AnswersWanted>, isAccepted: boolean): AckCode | undefined {
  const accept = acceptCode(code)
  if (!isAccepted && wantsAnswer(wanted.accept, accept)) return accept
  return wantsAnswer(wanted.application, code) ? code : undefined
}

const tooLarge: Issue = { code: '104', severity: 'E', text: 'The message is larger than this listener takes.' }

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTexts, code)
