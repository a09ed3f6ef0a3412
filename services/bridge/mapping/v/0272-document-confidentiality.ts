import type { CodeMap } from '../code-map.ts'

/** HL7 table 0272 to v3-Confidentiality. */
export const documentConfidentiality: CodeMap<{ readonly code: 'N' | 'R' | 'V'; readonly display: string }> = {
  table: '0272',
  name: 'Document Confidentiality Status',
  rows: {
    '1': { code: 'N', display: 'normal' },
    '3': { code: 'R', display: 'restricted' },
    '5': { code: 'V', display: 'very restricted' },
    U: { code: 'N', display: 'normal' },
    UC: { code: 'N', display: 'normal' },
    R: { code: 'R', display: 'restricted' },
    RE: { code: 'R', display: 'restricted' },
    V: { code: 'V', display: 'very restricted' },
    VR: { code: 'V', display: 'very restricted' },
  },
}
