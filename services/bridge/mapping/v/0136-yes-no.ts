import type { CodeMap } from '../code-map.ts'

/** HL7 table 0136 to boolean. */
export const yesNo: CodeMap<boolean> = {
  table: '0136',
  name: 'Yes/no Indicator',
  rows: {
    Y: true,
    N: false,
    YES: true,
    NO: false,
    T: true,
    F: false,
    '1': true,
    '0': false,
  },
}
