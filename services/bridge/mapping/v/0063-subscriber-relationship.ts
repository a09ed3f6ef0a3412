import type { CodeMap } from '../code-map.ts'

/** HL7 table 0063 to subscriber-relationship. */
export const subscriberRelationship: CodeMap<string> = {
  table: '0063',
  name: 'Relationship',
  rows: {
    SEL: 'self',
    SPO: 'spouse',
    CHD: 'child',
    NCH: 'child',
    SCH: 'child',
    FCH: 'child',
    PAR: 'parent',
    MTH: 'parent',
    FTH: 'parent',
    DOM: 'common',
    OTH: 'other',
  },
}
