import type { Appointment, AppointmentParticipant, Reference } from '../../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../../packages/hl7/index.ts'
import { at, warnAt } from '../../at.ts'
import { mapCode, rowOf } from '../../code-map.ts'
import type { Draft } from '../../draft.ts'
import { fillerStatus } from '../../v/0278-filler-status.ts'
import type { ScheduleEvent } from './events.ts'
import type { ScheduledResource } from './scheduled-resource.ts'
import type { Times } from './times.ts'

type AppointmentEvent = Extract<ScheduleEvent, { readonly about: 'appointment' }>

/**
 * SCH-25, except where the event itself says that it is over; where it is empty, what the event says. What is no code of its table
 * may say that nobody comes: then the appointment stays what it is. R4 lets only some be without a time: the others keep the
 * status that is stored.
 */
export function statusOf(
  event: AppointmentEvent,
  sch: Segment,
  times: Times | undefined,
  draft: Draft,
): Appointment['status'] | undefined {
  const said = event.isFinal === true ? undefined : (sch.text(25) ?? sch.text(25, 2))
  const ofEvent = event.status === 'stored' ? undefined : event.status
  const status = said === undefined ? ofEvent : mapCode(fillerStatus, said, at(draft, sch, 25))
  if (status === undefined || times !== undefined || event.isFinal === true || timeless.has(status)) return status
  warnAt(at(draft, sch, 11), 'not-kept', 'No time is given, so the appointment keeps its time and status.')
  return undefined
}

const timeless: ReadonlySet<string> = new Set(['proposed', 'cancelled', 'waitlist'])

/** Why it was called off (SCH-6), where R4 has a place for it. */
export const hasCancellationReason = (status: Appointment['status'] | undefined): boolean =>
  status === 'cancelled' || status === 'noshow'

export function patientParticipant(
  actor: Reference,
  status: Appointment['status'] | undefined,
): AppointmentParticipant {
  return { actor, status: answerOf(status) }
}

/** Someone or something that is needed; its own state (AIP-12 …) counts before that of an appointment that takes place. */
export function resourceParticipant(
  { actor, type, segment, fields }: ScheduledResource,
  status: Appointment['status'] | undefined,
  { isFinal }: AppointmentEvent,
): AppointmentParticipant {
  const own = isFinal === true ? undefined : rowOf(fillerStatus, segment.text(fields.status) ?? '')
  return { ...(type === undefined ? {} : { type: [type] }), actor, status: answerOf(own ?? status) }
}

/** The guide leaves it empty, and R4 demands it. An appointment that keeps its status takes place. */
const answerOf = (status: Appointment['status'] | undefined): AppointmentParticipant['status'] =>
  answers[status ?? 'booked']

const answers: Readonly<Record<Appointment['status'], AppointmentParticipant['status']>> = {
  proposed: 'needs-action',
  pending: 'needs-action',
  waitlist: 'needs-action',
  booked: 'accepted',
  arrived: 'accepted',
  'checked-in': 'accepted',
  fulfilled: 'accepted',
  cancelled: 'declined',
  noshow: 'tentative',
  'entered-in-error': 'tentative',
}
