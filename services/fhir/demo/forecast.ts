import type { Vaccine } from './vaccines.ts'

export interface Forecast {
  readonly vaccine: Vaccine
  readonly status: 'overdue' | 'due' | 'immune' | 'complete' | 'contraindicated'
  readonly due?: string
  readonly latest?: string
  readonly number: number
  /** Unknown where it goes on every year. */
  readonly of?: number
  /** The doses that it stands on. */
  readonly after: readonly number[]
  readonly why: string
}
