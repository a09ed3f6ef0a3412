import {
  acceptCode,
  acknowledge,
  acknowledgementBytes,
  acknowledgementMode,
  answerMasterFile,
  Hl7Fault,
  refuse,
  respondToQuery,
  wantsAnswer,
  type AckCode,
  type Answer,
  type AnswerCondition,
  type AnswerDeps,
  type Issue,
  type Location,
  type Message,
} from '../../../packages/hl7/index.ts'
import { unreachable } from '../../../packages/faults/fault.ts'
import { isMasterFile } from '../mapping/families/mfn/mfn.ts'
import { isKnownQuery } from '../mapping/families/qbp/read-query.ts'
import type { AckMode } from './channel.ts'
import { waitsForPatient, type Failed, type Outcome, type Parked } from './outcome.ts'

/** Which answers the sender of a message gets, and when. */
export interface AnswerPlan {
  /** CA, CE or CR, as soon as the message is journaled. */
  readonly accept: AnswerCondition
  /** AA, AE or AR: when the message is through, or when it is journaled. */
  readonly application: AnswerCondition
  readonly applicationWhen: 'through' | 'journaled'
}

export function answerPlan(message: Message | undefined, mode: AckMode): AnswerPlan {
  if (mode === 'immediate' && !asksForMore(message)) {
    return { accept: 'NE', application: 'AL', applicationWhen: 'journaled' }
  }
  const asked = message === undefined ? original : acknowledgementMode(message)
  if (asked.mode === 'original' && mode === 'enhanced')
    return { accept: 'AL', application: 'AL', applicationWhen: 'through' }
  return { accept: asked.accept, application: asked.application, applicationWhen: 'through' }
}

/** A query wants who was found, and a master file what became of each record: nobody knows that before the end. */
const asksForMore = (message: Message | undefined): boolean =>
  message !== undefined && (isKnownQuery(message) || isMasterFile(message))

/**
 * Whether its sender will not hear when a message fails after it was journaled: told AA or CA by then, or nothing at all.
 * Nobody can tell him to send it again.
 */
export const hearsOfNoFailure = ({ application, applicationWhen }: AnswerPlan): boolean =>
  applicationWhen === 'journaled' || !wantsAnswer(application, 'AE')

const original = { mode: 'original', accept: 'NE', application: 'AL' } as const

/** ACK: the application's answer to a message that is through. */
export function answerTo(message: Message, outcome: Outcome, deps: AnswerDeps): Uint8Array {
  switch (outcome.status) {
    case 'SUCCESS':
      return outcome.reply?.bytes ?? acknowledgementBytes(message, { code: 'AA' }, deps)
    case 'QUEUED':
      return acknowledgementBytes(message, { code: 'AA', text: 'Queued', issues: [queued(outcome)] }, deps)
    case 'ERROR':
      return (outcome.reply ?? nack(message, outcome, outcome.code, deps)).bytes
    default:
      return unreachable(outcome)
  }
}

/** MSA-1 of the application's answer. */
export const codeOf = (outcome: Outcome): 'AA' | 'AE' | 'AR' => (outcome.status === 'ERROR' ? outcome.code : 'AA')

/** CA, once the message is journaled, where its sender wants to hear it. */
export const acceptBytes = (message: Message, plan: AnswerPlan, deps: AnswerDeps): Uint8Array | undefined =>
  wantsAnswer(plan.accept, 'CA') ? acknowledgementBytes(message, { code: 'CA' }, deps) : undefined

/** The answer to a message that is not taken: of the level that its sender listens to, or none. */
export function refusalAnswer(
  message: Message | undefined,
  refused: Failed,
  plan: AnswerPlan,
  deps: AnswerDeps,
): { readonly code: AckCode; readonly message: Message } | undefined {
  const accept = acceptCode(refused.code)
  const code = wantsAnswer(plan.accept, accept)
    ? accept
    : wantsAnswer(plan.application, refused.code)
      ? refused.code
      : undefined
  if (code === undefined) return undefined
  if (message !== undefined) return { code, message: nack(message, refused, code, deps) }
  return { code, message: refuse(new Hl7Fault(issuesOf(refused)[0] ?? unknownIssue), deps, code) }
}

/** A duplicate gets the first one's code and what was wrong with it; a query or a master file its whole answer again. */
export function duplicateAnswer(message: Message, first: FirstAnswer, deps: AnswerDeps): Message | Uint8Array {
  if (first.reply !== undefined) return first.reply
  const { code, issues = [] } = first
  const told = code === 'AA' || issues.length > 0 ? issues : [refusedBefore]
  const answer = { code, text: 'Duplicate message', issues: told }
  return code === 'AA' ? acknowledge(message, answer, deps) : refusal(message, answer, deps)
}

export interface FirstAnswer {
  readonly code: 'AA' | 'AE' | 'AR'
  /** Why it was refused. */
  readonly issues?: readonly Issue[]
  /** The whole answer where it was more than an ACK. */
  readonly reply?: Uint8Array
  /** Whose answer it is, when the one that was asked was a duplicate itself. */
  readonly of?: string
}

const nack = (message: Message, failed: Failed, code: AckCode, deps: AnswerDeps): Message =>
  refusal(message, { code, text: failed.errorMessage, issues: issuesOf(failed) }, deps)

/** In the form that the sender waits for: RSP to a query that is answered here, MFK to a master file, else an ACK. */
function refusal(message: Message, answer: Answer & { readonly text: string }, deps: AnswerDeps): Message {
  const { code, text } = answer
  if (code !== 'AE' && code !== 'AR') return acknowledge(message, answer, deps)
  if (isKnownQuery(message)) return respondToQuery(message, { ...answer, status: code }, deps)
  if (!isMasterFile(message)) return acknowledge(message, answer, deps)
  const records = message.segments('MFE').map((record) => ({ record, code: 'U' as const, text }))
  return answerMasterFile(message, { ...answer, records }, deps)
}

/** Every issue carries the reason in ERR-5: senders treat AE and AR differently, the word is the same for all. */
export const issuesOf = ({ issues, errorCode, errorMessage }: Failed): readonly Issue[] => {
  const all: readonly Issue[] = issues.length > 0 ? issues : [{ ...unknownIssue, text: errorMessage }]
  return all.map((issue) => ({ applicationCode: { code: errorCode }, ...issue }))
}

const unknownIssue: Issue = { code: '207', severity: 'E', text: 'The message could not be processed.' }

const controlId: Location = { segment: 'MSH', sequence: 1, field: 10 }

/** For a first one whose sender wanted no answer, so that its reasons stand in the log alone. */
const refusedBefore: Issue = {
  code: '207',
  severity: 'E',
  text: 'A message with this control id was refused before.',
  location: controlId,
  applicationCode: { code: 'DUPLICATE' },
}

/** For a first one that has not ended while its duplicate waited. */
export const stillUnderWay: Issue = {
  code: '206',
  severity: 'E',
  text: 'A message with this control id is still being processed. Send it again later.',
  location: controlId,
  applicationCode: { code: 'DUPLICATE' },
}

const queued = ({ errorCode }: Parked): Issue => ({
  code: '0',
  severity: 'I',
  text: `The message is stored and ${waitingFor[errorCode] ?? 'is tried again'}.`,
  applicationCode: { code: errorCode },
})

const waitingFor: Readonly<Record<string, string>> = {
  STORE_UNAVAILABLE: 'waits for the data store',
  [waitsForPatient]: 'waits for an earlier one of the same patient',
}
