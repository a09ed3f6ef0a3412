import type { CodeMap } from '../code-map.ts'

/** HL7 table 0001 to administrative-gender. */
export const administrativeSex: CodeMap<'female' | 'male' | 'other' | 'unknown'> = {
  table: '0001',
  name: 'Administrative Sex',
  rows: {
    F: 'female',
    M: 'male',
    O: 'other',
    U: 'unknown',
    A: 'other',
    N: 'other',
    X: 'other',
    // Words that senders write instead of the codes.
    FEMALE: 'female',
    MALE: 'male',
    OTHER: 'other',
    UNKNOWN: 'unknown',
  },
}
