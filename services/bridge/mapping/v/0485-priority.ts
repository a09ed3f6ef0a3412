import type { CodeMap } from '../code-map.ts'

/** HL7 table 0485 to request-priority, and the words that senders write. */
export const priority: CodeMap<'stat' | 'asap' | 'routine' | 'urgent'> = {
  table: '0485',
  name: 'Extended Priority Codes',
  rows: {
    S: 'stat',
    A: 'asap',
    R: 'routine',
    T: 'urgent',
    P: 'urgent',
    STAT: 'stat',
    ASAP: 'asap',
    ROUTINE: 'routine',
    URGENT: 'urgent',
  },
}
