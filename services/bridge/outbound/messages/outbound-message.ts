import type { FhirResource, Patient, Reference } from '../../../../packages/fhir/r4.ts'
import { escapeText, formatTimestamp, MessageBuilder, standardDelimiters } from '../../../../packages/hl7/index.ts'
import { addSegments, pidFrom, type Authorities, type WrittenSegment } from '../../hl7-from-fhir/index.ts'
import type { Subscription } from '../../subscriptions/subscription.ts'
import type { KnownVisit } from '../known-visits.ts'

/** MSH-5 and MSH-6. */
interface Receiver {
  readonly application: string | undefined
  readonly facility: string | undefined
}

/** What a message is made of beside the resource that it tells of. */
export interface MessageContext {
  readonly authorities: Authorities
  /** The resource that a reference means, where it was read. */
  readonly resolve: (reference: Reference) => FhirResource | undefined
  readonly sender: { readonly application: string; readonly facility: string }
  readonly receiver: Receiver
  /** MSH-11 of the message that it came from; production where nothing is said. */
  readonly processing?: 'T' | 'D'
  /** When what it tells of was written. */
  readonly at: Date
  /** The message has changed what was there before. */
  readonly isChange: boolean
  /** What the receiver knows of the visit that it tells of. */
  readonly known?: KnownVisit | undefined
  /** The same on every attempt, so that a receiver can tell a repetition. */
  readonly controlId: string
  /** The message that all of this came from. */
  readonly transactionId: string
  /** Of which kind that message was: `ADT^A01`. */
  readonly messageType: string
}

/** `ADT`, `A01`, `ADT_A01`. */
type MessageType = readonly [type: string, trigger: string, structure: string]

/** A whole message: the header, the segments, and at its end by whose hands it went. */
export function outboundMessage(
  type: MessageType,
  segments: readonly (WrittenSegment | undefined)[],
  context: MessageContext,
): string {
  const { sender, receiver, at, controlId } = context
  const builder = new MessageBuilder()
  builder.add('MSH', {
    3: sender.application,
    4: sender.facility,
    5: receiver.application,
    6: receiver.facility,
    7: formatTimestamp(at),
    9: type,
    10: controlId,
    11: context.processing ?? 'P',
    12: '2.5.1',
    18: 'UNICODE UTF-8',
  })
  addSegments(builder, segments)
  builder.add('ZHP', [1, [sender.application, sender.facility], context.transactionId])
  return builder.text()
}

export const receiverOf = ({ receivingApplication, receivingFacility }: Subscription): Receiver => ({
  application: receivingApplication,
  facility: receivingFacility,
})

/** Whether a message that was made here names this receiver. */
export function isAddressedTo({ application, facility }: Receiver, message: string): boolean {
  const [, , , , namedApplication, namedFacility] = message.split('|', 6)
  const written = (name = '') => escapeText(name, standardDelimiters)
  return namedApplication === written(application) && namedFacility === written(facility)
}

export const evn = (trigger: string, { at }: MessageContext): WrittenSegment => ({
  name: 'EVN',
  fields: { 1: trigger, 2: formatTimestamp(at) },
})

/** PID of the patient whom a reference means; with nothing but an id where the record is not at hand. */
export function pidOf(subject: Reference | undefined, context: MessageContext): WrittenSegment {
  const found = subject === undefined ? undefined : context.resolve(subject)
  if (found?.resourceType === 'Patient') return pidFrom(found, context)
  const id = subject?.reference?.split('/').at(-1)
  const known: Patient = { resourceType: 'Patient', ...(id === undefined ? {} : { identifier: [{ value: id }] }) }
  return pidFrom(known, context)
}
