import type { FhirResource, Reference } from '../../../packages/fhir/r4.ts'
import type { Issue } from '../../../packages/hl7/index.ts'
import type { At } from './at.ts'
import type { Draft } from './draft.ts'
import type { Key } from './mapped.ts'
import { triggerOf } from './segments/msh.ts'

/** Refuses a message whose event is not in the table. Senders before 2.2 name none, and then the type says enough. */
export function checkEvent(events: Readonly<Record<string, unknown>>, channel: string, draft: Draft): void {
  const trigger = triggerOf(draft)
  if (trigger !== '' && !Object.hasOwn(events, trigger)) unsupportedEvent(channel, draft)
}

/** Refuses a message whose event does not belong to its channel. */
export function unsupportedEvent(channel: string, draft: Draft): never {
  return draft.refuse(notTaken(channel))
}

export const notTaken = (channel: string): Issue => ({
  code: '201',
  severity: 'E',
  text: `This event is not taken on the ${channel} channel.`,
  location: { segment: 'MSH', sequence: 1, field: 9, repetition: 1, component: 2 },
  applicationCode: { code: 'UNSUPPORTED_EVENT' },
})

/** Refuses a message that lacks a segment without which it says nothing. */
export function missingSegment(segment: string, draft: Draft): never {
  return draft.refuse({
    code: '100',
    severity: 'E',
    text: `The message has no ${segment} segment, and this event needs one.`,
    location: { segment, sequence: 1 },
  })
}

/** Refuses a message with none of these segments: it was cut off, and whoever sent it believes that it is here. */
export function checkContent([first, ...others]: readonly [string, ...string[]], draft: Draft): void {
  if (![first, ...others].some((name) => draft.message.segment(name) !== undefined)) missingSegment(first, draft)
}

/** Refuses a message that lacks a field which it is about. */
export function missingField(segment: string, field: number, draft: Draft, sequence = 1): never {
  return draft.refuse({
    code: '101',
    severity: 'E',
    text: `${segment}-${field} is empty, and this event is about it.`,
    location: { segment, sequence, field },
  })
}

/** Why a message is refused that would give one patient what another has. */
export const numberOfAnother = 'NUMBER_OF_ANOTHER'

/** Refuses a message that has said of another patient what has this number: what it says of this one would be lost. */
export function checkOnePatient(
  type: FhirResource['resourceType'],
  key: Key,
  patient: Reference,
  { draft, segment, field }: At,
): void {
  if (!draft.isAnothers(type, key, patient)) return
  draft.refuse({
    code: '199',
    severity: 'E',
    text: 'The message gives two patients one number.',
    location: { segment: segment.name, sequence: draft.message.segments(segment.name).indexOf(segment) + 1, field },
    applicationCode: { code: numberOfAnother },
  })
}

/** Why a message is refused whose patient is wholly another than the one who has their number. */
export const otherPerson = 'OTHER_PERSON'
