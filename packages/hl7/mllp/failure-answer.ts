import { acknowledgementOf } from '../../faults/render.ts'
import { faultOf } from '../../faults/fault.ts'
import { acknowledge, refuse, type AnswerDeps } from '../acknowledge.ts'
import { Hl7Fault } from '../hl7-fault.ts'
import { errorTexts, type ErrorCode, type Issue } from '../issue.ts'
import { tryParseMessage } from '../parse.ts'

/** The NACK for a message whose handling failed; with no failure, for one whose frame was too large. */
export function failureAnswer(bytes: Uint8Array, failure: unknown, deps: AnswerDeps): Uint8Array {
  if (failure === undefined) return nack(bytes, 'AR', tooLarge, deps)
  if (failure instanceof Hl7Fault) return refuse(failure, deps).bytes
  const { ackCode, errorCode, text } = acknowledgementOf(faultOf(failure))
  return nack(bytes, ackCode, { code: isErrorCode(errorCode) ? errorCode : '207', severity: 'E', text }, deps)
}

function nack(bytes: Uint8Array, code: 'AE' | 'AR', issue: Issue, deps: AnswerDeps): Uint8Array {
  const { message, refused } = tryParseMessage(bytes)
  const header = message ?? refused?.header
  if (header === undefined) return refuse(new Hl7Fault(issue), deps).bytes
  return acknowledge(header, { code, text: issue.text, issues: [issue] }, deps).bytes
}

const tooLarge: Issue = { code: '104', severity: 'E', text: 'The message is larger than this listener takes.' }

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTexts, code)
