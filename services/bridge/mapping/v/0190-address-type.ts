import type { CodeMap } from '../code-map.ts'

/** HL7 table 0190 to the use and type of an address. */
export const addressType: CodeMap<{
  readonly use?: 'home' | 'work' | 'temp' | 'old' | 'billing'
  readonly type?: 'postal' | 'physical'
}> = {
  table: '0190',
  name: 'Address Type',
  rows: {
    H: { use: 'home' },
    B: { use: 'work' },
    O: { use: 'work' },
    C: { use: 'temp' },
    BA: { use: 'old' },
    BI: { use: 'billing' },
    M: { type: 'postal' },
    SH: { type: 'postal' },
    L: { use: 'home' },
    P: { use: 'home' },
    V: { use: 'temp' },
    S: {},
    F: {},
    N: {},
    HV: {},
    RH: {},
    // Words that senders write instead of the codes.
    HOME: { use: 'home' },
    WORK: { use: 'work' },
    MAILING: { type: 'postal' },
  },
}
