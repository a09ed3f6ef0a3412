import type { CodeMap } from '../code-map.ts'

/** HL7 tables 0161 (RXO-9) and 0167 (RXE-9): whether another product may be given. `N` says it only in the first. */
export const substitution: CodeMap<boolean | undefined> = {
  table: '0167',
  name: 'Substitution Status',
  rows: {
    '0': true,
    '1': false,
    '2': true,
    '3': true,
    '4': true,
    '5': true,
    '7': false,
    '8': true,
    G: true,
    T: true,
    Y: true,
    // In table 0167: no substitute was dispensed, which says nothing of what is allowed.
    N: undefined,
  },
}
