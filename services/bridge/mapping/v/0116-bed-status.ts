import type { CodeMap } from '../code-map.ts'

/** HL7 table 0116 to the bed status of Location.operationalStatus, which is this table itself. */
export const bedStatus: CodeMap<string> = {
  table: '0116',
  name: 'Bed Status',
  rows: {
    C: 'Closed',
    H: 'Housekeeping',
    I: 'Isolated',
    K: 'Contaminated',
    O: 'Occupied',
    U: 'Unoccupied',
  },
}
