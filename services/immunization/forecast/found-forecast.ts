import type { Span } from './calendar.ts'
import type { CountedDose, NotCounted } from './count-doses.ts'
import type { DoseRule, SeriesId, Vaccine } from './schedule.ts'

/**
 * `upcoming`: not yet recommended; `complete`: nothing more is needed; `too-old`: no longer given at this age;
 * `contraindicated`: somebody said that it must not be given.
 */
export type ForecastStatus = 'overdue' | 'due' | 'upcoming' | 'complete' | 'too-old' | 'contraindicated'

/** What was found out of one series. */
export interface FoundForecast {
  readonly series: SeriesId
  readonly status: ForecastStatus
  /** What to give next, by CVX; for a complete series what it consists of. */
  readonly vaccine: Vaccine
  /** The next dose, from 1; for a complete series the number of its doses. */
  readonly doseNumber: number
  /** Undefined for what is given every year. */
  readonly seriesDoses: number | undefined
  /** All are YYYY-MM-DD and undefined when there is no next dose. */
  readonly earliest: string | undefined
  readonly recommended: string | undefined
  /** The first day on which it is overdue. */
  readonly overdueFrom: string | undefined
  /** The first day on which it is no longer given; undefined for what has no end. */
  readonly tooOldFrom: string | undefined
  /** The dose for which this one has to wait, where its plan alone would have it sooner. */
  readonly waitsAfter: Wait | undefined
  /** The row of the schedule that decided: the series, the plan in it, the dose. */
  readonly rule: ForecastRule
  /** The doses that count, oldest first. */
  readonly supporting: readonly CountedDose[]
  readonly notCounted: readonly NotCounted[]
}

export interface Wait {
  /** Another live vaccine, or a dose of this series that does not count and has to be given again. */
  readonly because: 'live' | 'not-counted'
  /** What is known of its day. */
  readonly known: string
  readonly interval: Span
  /** The first day on which the wait is over. */
  readonly until: string
}

interface ForecastRule {
  readonly plan: string
  readonly dose: DoseRule | undefined
  readonly isYearly: boolean
  readonly source: string
}
