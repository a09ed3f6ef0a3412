import type { MatchGrade } from './patient-index.ts'
import type { CallOptions } from '../call-options.ts'

/** Pairs of golden records that may be one person, as somebody decides on them. */
export interface PatientReviews {
  /** Those that wait for a decision, the likeliest first. */
  open(page: { readonly number: number; readonly size: number }, call?: CallOptions): Promise<OpenReviews>
  /** `confirm`: they are one person and are merged. `reject`: they are two, and are not asked about again. */
  decide(id: string, decision: ReviewDecision, call?: CallOptions): Promise<void>
}

export type ReviewDecision = 'confirm' | 'reject'

export interface OpenReviews {
  readonly reviews: readonly PatientReview[]
  readonly total: number
}

export interface PatientReview {
  readonly id: string
  /** The golden record that was made because nobody was found for certain. */
  readonly goldenId: string
  /** The golden record that it may be the same as, and the Patient that was most like it. */
  readonly candidateGoldenId: string
  readonly candidatePatientId: string
  /** From 0 to 1. */
  readonly score: number
  readonly grade: MatchGrade
  readonly comparisons: readonly FieldComparison[]
}

export interface FieldComparison {
  readonly field: string
  readonly agreement: 'agrees' | 'partly' | 'contradicts'
}
