import type { CodeMap } from '../code-map.ts'

/** HL7 table 0127 to the category and type of an allergy. */
export const allergenType: CodeMap<{
  readonly category?: 'food' | 'medication' | 'environment' | 'biologic'
  readonly type?: 'allergy' | 'intolerance'
}> = {
  table: '0127',
  name: 'Allergen Type',
  rows: {
    DA: { category: 'medication', type: 'allergy' },
    FA: { category: 'food', type: 'allergy' },
    EA: { category: 'environment', type: 'allergy' },
    PA: { category: 'environment', type: 'allergy' },
    LA: { category: 'environment', type: 'allergy' },
    AA: { category: 'biologic', type: 'allergy' },
    MA: { type: 'allergy' },
    MC: {},
  },
}
