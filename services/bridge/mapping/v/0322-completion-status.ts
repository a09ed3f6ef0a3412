import type { CodeMap } from '../code-map.ts'

/** HL7 table 0322 to immunization-status. */
export const completionStatus: CodeMap<'completed' | 'not-done'> = {
  table: '0322',
  name: 'Completion Status',
  rows: {
    CP: 'completed',
    PA: 'completed',
    RE: 'not-done',
    NA: 'not-done',
  },
}
