import type { CodeMap } from '../code-map.ts'

/** HL7 table 0180: what happens to a record of a master file. Nothing is ever removed: others refer to it. */
export const recordEvent: CodeMap<'add' | 'update' | 'deactivate' | 'reactivate'> = {
  table: '0180',
  name: 'Record-level Event Code',
  rows: {
    MAD: 'add',
    MUP: 'update',
    MDC: 'deactivate',
    MDL: 'deactivate',
    MAC: 'reactivate',
  },
}
