import type { AppointmentParticipant } from '../../../../packages/fhir/r4.ts'
import { concept } from '../code-map.ts'
import { cwe, cweOf } from '../dt/cwe.ts'
import { ei, orderNumbered } from '../dt/ei.ts'
import { xcn } from '../dt/xcn.ts'
import { row, type Row, type SegmentMap } from '../segment-map.ts'
import { participationTypes } from './pv1.ts'

/** SCH to Appointment. Status (25), times (9 to 11) and why it was called off (6) depend on the event: `families/siu`. */
export const schToAppointment: SegmentMap = {
  segment: 'SCH',
  resource: 'Appointment',
  rows: [
    row(1, 'Placer Appointment ID', 'identifier[]', ei('PLAC')),
    row(2, 'Filler Appointment ID', 'identifier[]', ei('FILL')),
    row(7, 'Appointment Reason', 'reasonCode[]', cwe),
    row(8, 'Appointment Type', 'appointmentType', cweOf('0277')),
    contactRow(12, 'Placer Contact Person', 'CALLBCK', 'callback contact'),
    contactRow(16, 'Filler Contact Person', 'CALLBCK', 'callback contact'),
    contactRow(20, 'Entered By Person', 'ENT', 'data entry person'),
    row(26, 'Placer Order Number', 'basedOn[]', orderNumbered('PLAC')),
    row(27, 'Filler Order Number', 'basedOn[]', orderNumbered('FILL')),
  ],
}

/** Whom to ask about it: they need not come, so nothing is asked of them. */
function contactRow(field: number, name: string, code: string, display: string): Row {
  return row(field, name, 'participant[]', (part, place): AppointmentParticipant | undefined => {
    const actor = xcn(part, place)
    return (
      actor && {
        type: [concept(participationTypes, code, display)],
        actor,
        required: 'information-only',
        status: 'accepted',
      }
    )
  })
}
