import { cwe } from '../dt/cwe.ts'
import { row, type SegmentMap } from '../segment-map.ts'
import type { ResourceFields } from '../families/siu/times.ts'

/**
 * AIS to Appointment. The guide makes a participant of it, which R4 does not allow without an actor or type; the service
 * is what the appointment is for.
 */
export const aisToAppointment: SegmentMap = {
  segment: 'AIS',
  resource: 'Appointment',
  rows: [row(3, 'Universal Service Identifier', 'serviceType[]', cwe)],
}

export const aisFields: ResourceFields = {
  start: 4,
  offset: 5,
  offsetUnit: 6,
  duration: 7,
  durationUnit: 8,
  status: 10,
}
