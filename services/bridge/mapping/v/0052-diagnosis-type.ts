import type { CodeMap } from '../code-map.ts'

/** HL7 table 0052 to diagnosis-role. */
export const diagnosisType: CodeMap<{ readonly code: string; readonly display: string }> = {
  table: '0052',
  name: 'Diagnosis Type',
  rows: {
    A: { code: 'AD', display: 'Admission diagnosis' },
    W: { code: 'CC', display: 'Chief complaint' },
    F: { code: 'DD', display: 'Discharge diagnosis' },
  },
}
