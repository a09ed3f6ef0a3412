import type { CodeMap } from '../code-map.ts'

/** HL7 table 0273 to document-reference-status. What is unavailable for care is still the current document. */
export const documentAvailability: CodeMap<'current' | 'superseded' | 'entered-in-error'> = {
  table: '0273',
  name: 'Document Availability Status',
  rows: {
    AV: 'current',
    UN: 'current',
    OB: 'superseded',
    CA: 'entered-in-error',
  },
}
