import type { Vaccine } from './vaccines.ts'

export interface Dose {
  readonly vaccine: Vaccine
  readonly number: number
  readonly on: string
  /** Told by the patient, and by no record. */
  readonly isSelfReported?: boolean
  readonly isNotDone?: boolean
  readonly series?: string
  readonly note?: string
}
