import type { CodeMap } from '../code-map.ts'

/** HL7 table 0063 to v3-RoleCode; relationships that it does not know keep their v2 code only. */
export const relationship: CodeMap<string> = {
  table: '0063',
  name: 'Relationship',
  rows: {
    SEL: 'ONESELF',
    SPO: 'SPS',
    DOM: 'DOMPART',
    CHD: 'CHILD',
    GCH: 'GRNDCHILD',
    NCH: 'NCHILD',
    SCH: 'STPCHLD',
    FCH: 'CHLDFOST',
    PAR: 'PRN',
    MTH: 'MTH',
    FTH: 'FTH',
    GRD: 'GUARD',
    GRP: 'GRPRN',
    EXF: 'EXT',
    SIB: 'SIB',
    BRO: 'BRO',
    SIS: 'SIS',
    FND: 'FRND',
  },
}
