import type { CodeMap } from '../code-map.ts'

/**
 * The CDC's table of where a sender knows of a dose from, to immunization-origin. 00 is a dose that the sender gave itself,
 * and 01 does not say where from.
 */
export const informationSource: CodeMap<{ readonly code: string; readonly display: string }> = {
  table: 'NIP001',
  name: 'Immunization Information Source',
  rows: {
    '02': { code: 'provider', display: 'Other Provider' },
    '03': { code: 'record', display: 'Written Record' },
    '04': { code: 'recall', display: 'Parent/Guardian/Patient Recall' },
    '05': { code: 'jurisdiction', display: 'Jurisdictional IIS' },
    '06': { code: 'record', display: 'Written Record' },
    '07': { code: 'school', display: 'School Record' },
    '08': { code: 'jurisdiction', display: 'Jurisdictional IIS' },
  },
}
