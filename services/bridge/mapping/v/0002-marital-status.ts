import type { CodeMap } from '../code-map.ts'

/** HL7 table 0002 to v3-MaritalStatus where it has the code; the others keep their v2 code. */
export const maritalStatus: CodeMap<string> = {
  table: '0002',
  name: 'Marital Status',
  rows: {
    D: 'D',
    M: 'M',
    S: 'S',
    W: 'W',
    A: 'L',
    I: 'I',
    L: 'L',
    P: 'T',
    T: 'T',
    U: 'UNK',
    // Words that senders write instead of the codes.
    DIVORCED: 'D',
    MARRIED: 'M',
    SINGLE: 'S',
    WIDOWED: 'W',
  },
}
