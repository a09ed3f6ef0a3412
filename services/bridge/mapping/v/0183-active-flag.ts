import type { CodeMap } from '../code-map.ts'

/** HL7 table 0183 to boolean. */
export const activeFlag: CodeMap<boolean> = {
  table: '0183',
  name: 'Active/Inactive',
  rows: {
    A: true,
    I: false,
    Y: true,
    N: false,
  },
}
