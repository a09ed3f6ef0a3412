import type { CodeMap } from '../code-map.ts'

/** HL7 table 0267 to days-of-week, in the order of the week. */
export const weekday: CodeMap<'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'> = {
  table: '0267',
  name: 'Days of the Week',
  rows: {
    MON: 'mon',
    TUE: 'tue',
    WED: 'wed',
    THU: 'thu',
    FRI: 'fri',
    SAT: 'sat',
    SUN: 'sun',
  },
}
