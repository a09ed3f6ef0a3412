import type { CodeMap } from '../code-map.ts'

/** HL7 table 0128 to the criticality of an allergy and the severity of its reaction. */
export const allergySeverity: CodeMap<{
  readonly criticality?: 'high' | 'low' | 'unable-to-assess'
  readonly severity?: 'severe' | 'moderate' | 'mild'
}> = {
  table: '0128',
  name: 'Allergy Severity',
  rows: {
    SV: { criticality: 'high', severity: 'severe' },
    MO: { severity: 'moderate' },
    MI: { criticality: 'low', severity: 'mild' },
    U: { criticality: 'unable-to-assess' },
  },
}
