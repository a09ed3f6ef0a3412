import { acknowledgementOf } from '../../faults/render.ts'
import { faultOf } from '../../faults/fault.ts'
import { acknowledgementBytes, refuse, type AckCode, type AnswerDeps } from '../acknowledge.ts'
import { acceptCode, acknowledgementMode, wantsAnswer, type AcknowledgementMode } from '../acknowledgement-mode.ts'
import { Hl7Fault } from '../hl7-fault.ts'
import { errorTexts, type ErrorCode, type Issue } from '../issue.ts'
import type { Message } from '../message.ts'
import { tryParseMessage } from '../parse.ts'

/** Which answers a sender listens to; of a message that cannot be read, only who gave the listener its rules can tell. */
export type AnswersWanted = (message: Message | undefined) => Pick<AcknowledgementMode, 'accept' | 'application'>

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
  const { ackCode, errorCode, applicationCode, text } = acknowledgementOf(faultOf(failure))
  const code = isErrorCode(errorCode) ? errorCode : '207'
  return nack(of, ackCode, { code, severity: 'E', text, applicationCode: { code: applicationCode } }, deps)
}

function nack(
  { bytes, wanted = asItSays, isAccepted = false }: Omit<FailureOf, 'failure'>,
  application: 'AE' | 'AR',
  issue: Issue,
  deps: AnswerDeps,
): Uint8Array | undefined {
  const { message, refused } = tryParseMessage(bytes)
  const header = message ?? refused?.header
  const code = levelOf(application, wanted(header), isAccepted)
  if (code === undefined) return undefined
  if (header === undefined) return refuse(new Hl7Fault(issue), deps, code).bytes
  return acknowledgementBytes(header, { code, text: issue.text, issues: [issue] }, deps)
}

const asItSays: AnswersWanted = (message) =>
  message === undefined ? { accept: 'NE', application: 'AL' } : acknowledgementMode(message)

function levelOf(code: 'AE' | 'AR', wanted: ReturnType<AnswersWanted>, isAccepted: boolean): AckCode | undefined {
  const accept = acceptCode(code)
  if (!isAccepted && wantsAnswer(wanted.accept, accept)) return accept
  return wantsAnswer(wanted.application, code) ? code : undefined
}

const tooLarge: Issue = {
  ...{ code: '104', severity: 'E', text: 'The message is larger than this listener takes.' },
  applicationCode: { code: 'MESSAGE_TOO_LARGE' },
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTexts, code)
