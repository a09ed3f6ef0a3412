import type { CodeMap } from '../code-map.ts'

/** HL7 table 0123 to diagnostic-report-status. */
export const resultStatus: CodeMap<
  'registered' | 'partial' | 'preliminary' | 'final' | 'amended' | 'corrected' | 'cancelled' | 'unknown'
> = {
  table: '0123',
  name: 'Result Status',
  rows: {
    O: 'registered',
    I: 'registered',
    S: 'registered',
    A: 'partial',
    P: 'preliminary',
    R: 'partial',
    F: 'final',
    M: 'corrected',
    C: 'corrected',
    X: 'cancelled',
    N: 'unknown',
    Y: 'unknown',
    Z: 'unknown',
  },
}
