import type { CodeMap } from '../code-map.ts'

/** HL7 table 0217 to v3-ActPriority. */
export const visitPriority: CodeMap<{ readonly code: string; readonly display: string }> = {
  table: '0217',
  name: 'Visit Priority Code',
  rows: {
    '1': { code: 'EM', display: 'emergency' },
    '2': { code: 'UR', display: 'urgent' },
    '3': { code: 'EL', display: 'elective' },
  },
}
