import type { Appointment } from '../../../../../packages/fhir/r4.ts'

/** What an SIU event does. */
export type ScheduleEvent = { readonly meaning: string } & (
  | {
      readonly about: 'appointment'
      /** When SCH-25 is empty. `stored`: what the store has stays. */
      readonly status: Appointment['status'] | 'stored'
      /** SCH-25 does not count: an appointment that is called off is, whatever state it was in. */
      readonly isFinal?: boolean
      /** It has taken no slots yet. */
      readonly isNew?: boolean
      /** What the message names joins the appointment, or leaves it; else it is all that belongs to it. */
      readonly services?: 'join' | 'leave'
    }
  | { readonly about: 'slots'; readonly status: 'busy-unavailable' | 'free' }
)

const appointment = (
  meaning: string,
  status: Appointment['status'] | 'stored',
  more: { readonly isFinal?: boolean; readonly isNew?: boolean; readonly services?: 'join' | 'leave' } = {},
): ScheduleEvent => ({ meaning, about: 'appointment', status, ...more })

/** HL7 table 0003 for SIU. */
export const scheduleEvents: Readonly<Record<string, ScheduleEvent>> = {
  S12: appointment('New appointment booking', 'booked', { isNew: true }),
  S13: appointment('Appointment rescheduling', 'booked'),
  S14: appointment('Appointment modification', 'booked'),
  S15: appointment('Appointment cancellation', 'cancelled', { isFinal: true }),
  S16: appointment('Appointment discontinuation', 'cancelled', { isFinal: true }),
  S17: appointment('Appointment deletion', 'entered-in-error', { isFinal: true }),
  S18: appointment('Addition of service or resource', 'stored', { services: 'join' }),
  S19: appointment('Modification of service or resource', 'stored', { services: 'join' }),
  S20: appointment('Cancellation of service or resource', 'stored', { services: 'leave' }),
  S21: appointment('Discontinuation of service or resource', 'stored', { services: 'leave' }),
  S22: appointment('Deletion of service or resource', 'stored', { services: 'leave' }),
  S23: { meaning: 'Blocked schedule time slots', about: 'slots', status: 'busy-unavailable' },
  S24: { meaning: 'Opened schedule time slots', about: 'slots', status: 'free' },
  S26: appointment('Patient did not show up', 'noshow', { isFinal: true }),
  S27: appointment('Broadcast of scheduled appointments', 'booked'),
}
