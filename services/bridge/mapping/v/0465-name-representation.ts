import type { CodeMap } from '../code-map.ts'

/** HL7 table 0465 to the representation of a name: in letters, in ideograms, in syllables as it sounds. */
export const nameRepresentation: CodeMap<'ABC' | 'IDE' | 'SYL'> = {
  table: '0465',
  name: 'Name/Address Representation',
  rows: { A: 'ABC', I: 'IDE', P: 'SYL' },
}
