import type { CodeMap } from '../code-map.ts'

/** Units of a duration, in minutes. Without one, schedules count in minutes. */
export const durationUnit: CodeMap<number> = {
  table: 'units',
  name: 'Units of a duration, in minutes',
  rows: {
    S: 1 / 60,
    SEC: 1 / 60,
    SECONDS: 1 / 60,
    M: 1,
    MIN: 1,
    MINS: 1,
    MINUTE: 1,
    MINUTES: 1,
    H: 60,
    HR: 60,
    HRS: 60,
    HOUR: 60,
    HOURS: 60,
    D: 1_440,
    DAY: 1_440,
    DAYS: 1_440,
  },
}
