import type { CodeMap } from '../code-map.ts'

/** HL7 table 0260 to location-physical-type. */
export const locationType: CodeMap<{ readonly code: string; readonly display: string }> = {
  table: '0260',
  name: 'Patient Location Type',
  rows: {
    B: { code: 'bd', display: 'Bed' },
    R: { code: 'ro', display: 'Room' },
    E: { code: 'ro', display: 'Room' },
    O: { code: 'ro', display: 'Room' },
    N: { code: 'wa', display: 'Ward' },
    D: { code: 'area', display: 'Area' },
    C: { code: 'area', display: 'Area' },
    L: { code: 'area', display: 'Area' },
  },
}
