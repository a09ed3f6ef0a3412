import type { CodeMap } from '../code-map.ts'

/** HL7 table 0085 to observation-status. */
export const observationResultStatus: CodeMap<
  'registered' | 'preliminary' | 'final' | 'amended' | 'corrected' | 'cancelled' | 'entered-in-error'
> = {
  table: '0085',
  name: 'Observation Result Status',
  rows: {
    P: 'preliminary',
    F: 'final',
    C: 'corrected',
    A: 'amended',
    B: 'amended',
    D: 'entered-in-error',
    W: 'entered-in-error',
    X: 'cancelled',
    I: 'registered',
    O: 'registered',
    R: 'preliminary',
    S: 'preliminary',
    V: 'preliminary',
    U: 'final',
    N: 'final',
  },
}
