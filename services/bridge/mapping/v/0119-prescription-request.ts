import type { CodeMap } from '../code-map.ts'

/**
 * HL7 table 0119: what says nothing of the status of a prescription that is known (it may be on hold, or stopped), to
 * medicationrequest-status where nobody knows it. Of a refill that is asked for (RF) nobody knows either.
 */
export const prescriptionRequest: CodeMap<'active'> = {
  table: '0119',
  name: 'Order Control Codes',
  rows: { NA: 'active', XO: 'active', XR: 'active' },
}
