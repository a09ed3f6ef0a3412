import type { CodeMap } from '../code-map.ts'

/** HL7 table 0200 to name-use. */
export const nameType: CodeMap<
  'usual' | 'official' | 'temp' | 'nickname' | 'anonymous' | 'old' | 'maiden' | undefined
> = {
  table: '0200',
  name: 'Name Type',
  rows: {
    L: 'official',
    R: 'official',
    D: 'usual',
    M: 'maiden',
    N: 'nickname',
    S: 'anonymous',
    MSK: 'anonymous',
    NAV: 'temp',
    TEMP: 'temp',
    BAD: 'old',
    // Words that senders write instead of the codes.
    CURRENT: 'official',
    LEGAL: 'official',
  },
}
