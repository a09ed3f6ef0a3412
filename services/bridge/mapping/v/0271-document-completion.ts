import type { CodeMap } from '../code-map.ts'

/** HL7 table 0271 to composition-status: only what was authenticated is final. */
export const documentCompletion: CodeMap<'preliminary' | 'final' | 'amended'> = {
  table: '0271',
  name: 'Document Completion Status',
  rows: {
    AU: 'final',
    LA: 'final',
    DI: 'preliminary',
    DO: 'preliminary',
    IN: 'preliminary',
    IP: 'preliminary',
    PA: 'preliminary',
    AM: 'amended',
  },
}
