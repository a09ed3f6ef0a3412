import type { Clock } from '../clock/clock.ts'
import type { Ids } from '../clock/ids.ts'
import { MessageBuilder } from './builder.ts'
import { addErrors } from './error-segment.ts'
import { raw, type FieldValue } from './field-value.ts'
import type { Hl7Fault } from './hl7-fault.ts'
import type { Issue } from './issue.ts'
import type { Message } from './message.ts'
import { formatTimestamp } from './timestamp.ts'
import { isAtLeast } from './version.ts'

/** HL7 table 0008: the application's answer, or in enhanced mode the accept answer (C). */
export type AckCode = 'AA' | 'AE' | 'AR' | 'CA' | 'CE' | 'CR'

export interface Answer {
  readonly code: AckCode
  /** MSA-3, for people who read the sender's log. */
  readonly text?: string
  readonly issues?: readonly Issue[]
}

export interface AnswerDeps {
  readonly clock: Clock
  readonly ids: Ids
}

/** The acknowledgement of a message: in its delimiters, its character set, its version, back to its sender. */
export const acknowledge = (request: Message, answer: Answer, deps: AnswerDeps): Message =>
  acknowledgement(request, answer, deps).message()

/** The same as it goes out, for whoever does not look into it: nobody reads then what was just written. */
export const acknowledgementBytes = (request: Message, answer: Answer, deps: AnswerDeps): Uint8Array =>
  acknowledgement(request, answer, deps).bytes()

function acknowledgement(request: Message, answer: Answer, deps: AnswerDeps): MessageBuilder {
  const builder = beginAnswer(request, answerType(request), deps)
  addOutcome(builder, request, answer)
  return builder
}

/** The answer to bytes that could not be read: to the sender where the header could be read, else to nobody's name. */
export function refuse(fault: Hl7Fault, deps: AnswerDeps, code: AckCode = 'AR'): Message {
  const answer: Answer = { code, text: fault.issue.text, issues: [fault.issue] }
  if (fault.header !== undefined) return acknowledge(fault.header, answer, deps)
  const builder = new MessageBuilder()
  const { time, controlId } = stamp(deps)
  builder.add('MSH', { 7: time, 9: 'ACK', 10: controlId, 11: 'P', 12: '2.5.1' })
  addMsa(builder, answer, undefined)
  addErrors(builder, answer.issues ?? [], '2.5.1')
  return builder.message()
}

/** A builder with the MSH of an answer: sender and receiver change places, everything else follows the request. */
export function beginAnswer(request: Message, messageType: FieldValue, deps: AnswerDeps): MessageBuilder {
  const builder = new MessageBuilder(request)
  const { time, controlId } = stamp(deps)
  const header = request.segment('MSH')
  const copy = (field: number) => raw(header?.rawField(field))
  return builder.add('MSH', {
    3: copy(5),
    4: copy(6),
    5: copy(3),
    6: copy(4),
    7: time,
    9: messageType,
    10: controlId,
    11: copy(11),
    12: copy(12),
    18: copy(18),
    20: copy(20),
  })
}

/** MSA and the ERR segments. */
export function addOutcome(builder: MessageBuilder, request: Message, answer: Answer): void {
  addMsa(builder, answer, request.segment('MSH')?.rawField(10))
  addErrors(builder, answer.issues ?? [], request.getText('MSH-12'))
}

/** MSH-9 of the answer has as many components as the request's: `ACK`, `ACK^A01` or `ACK^A01^ACK`. */
function answerType(request: Message): FieldValue {
  const type = request.part('MSH-9')
  const trigger = type?.text(2)
  if (trigger === undefined) return 'ACK'
  const hasStructure = type?.text(3) !== undefined && isAtLeast(request.getText('MSH-12'), '2.3.1')
  return hasStructure ? ['ACK', trigger, 'ACK'] : ['ACK', trigger]
}

/** MSA-2 is the control id as it was sent: a sender compares it sign by sign. */
function addMsa(builder: MessageBuilder, { code, text }: Answer, controlId: string | undefined): void {
  builder.add('MSA', [code, raw(controlId), text])
}

function stamp({ clock, ids }: AnswerDeps): { time: string; controlId: string } {
  return { time: formatTimestamp(clock.now()), controlId: controlIdFrom(ids.uuid()) }
}

/** Twenty signs: what every version allows in MSH-10. They are of a UUID's end, which is chance but for six bits. */
const controlIdFrom = (uuid: string): string => uuid.replaceAll('-', '').slice(-20)
