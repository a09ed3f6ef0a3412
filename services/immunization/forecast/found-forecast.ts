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
  /** What is known of the day of another live vaccine, where it is for that one that this has to wait. */
  readonly waitsAfter: string | undefined
  /** The row of the schedule that decided: the series, the plan in it, the dose. */
  readonly rule: ForecastRule
  /** The doses that count, oldest first. */
  readonly supporting: readonly CountedDose[]
  readonly notCounted: readonly NotCounted[]
}

interface ForecastRule {
  readonly plan: string
  readonly dose: DoseRule | undefined
  readonly isYearly: boolean
  readonly source: string
}
