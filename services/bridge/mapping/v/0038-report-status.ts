import type { CodeMap } from '../code-map.ts'

/** HL7 table 0038 to diagnostic-report-status: what an order says of a report that says nothing of itself. */
export const orderedReportStatus: CodeMap<'registered' | 'partial' | 'final' | 'cancelled' | 'entered-in-error'> = {
  table: '0038',
  name: 'Order Status',
  rows: {
    A: 'partial',
    CM: 'final',
    CA: 'cancelled',
    DC: 'cancelled',
    RP: 'cancelled',
    ER: 'entered-in-error',
    HD: 'registered',
    IP: 'registered',
    SC: 'registered',
  },
}
