import type { CodeMap } from '../code-map.ts'

/** HL7 table 0206 to what a segment does with its record. */
export const segmentAction: CodeMap<'add' | 'update' | 'delete' | 'nothing'> = {
  table: '0206',
  name: 'Segment Action Code',
  rows: {
    A: 'add',
    I: 'add',
    U: 'update',
    D: 'delete',
    X: 'nothing',
    S: 'update',
    R: 'update',
  },
}
