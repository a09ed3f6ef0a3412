import type { CodeMap } from '../code-map.ts'

/** HL7 table 0004 to v3-ActCode; classes that it does not know keep their v2 code. */
export const patientClass: CodeMap<{ readonly system: 'v3-ActCode' | 'v2-0004'; readonly code: string }> = {
  table: '0004',
  name: 'Patient Class',
  rows: {
    E: { system: 'v3-ActCode', code: 'EMER' },
    I: { system: 'v3-ActCode', code: 'IMP' },
    O: { system: 'v3-ActCode', code: 'AMB' },
    P: { system: 'v3-ActCode', code: 'PRENC' },
    R: { system: 'v2-0004', code: 'R' },
    B: { system: 'v2-0004', code: 'B' },
    C: { system: 'v2-0004', code: 'C' },
    N: { system: 'v2-0004', code: 'N' },
    U: { system: 'v2-0004', code: 'U' },
    // Words that senders write instead of the codes.
    EMERGENCY: { system: 'v3-ActCode', code: 'EMER' },
    INPATIENT: { system: 'v3-ActCode', code: 'IMP' },
    OUTPATIENT: { system: 'v3-ActCode', code: 'AMB' },
  },
}

/** HL7 table 0004 to encounter-status, for triggers that say nothing of it. */
export const patientClassStatus: CodeMap<'planned' | 'unknown' | 'in-progress'> = {
  table: '0004',
  name: 'Patient Class',
  rows: {
    E: 'in-progress',
    I: 'in-progress',
    O: 'in-progress',
    P: 'planned',
    R: 'in-progress',
    B: 'in-progress',
    C: 'in-progress',
    N: 'in-progress',
    U: 'unknown',
  },
}
