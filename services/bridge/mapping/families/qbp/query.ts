import type { Patient } from '../../../../../packages/fhir/r4.ts'

/** What a QBP message asks for. */
export type PatientQuery = PersonQuery | CandidateQuery | AllocationQuery

interface AnyQuery {
  /** QPD-2: comes back in QAK-1. */
  readonly tag: string
  /** RCP-2: how many patients at a time. */
  readonly limit?: number
  /** DSC-1 of a query that goes on: how many patients it was given already. */
  readonly offset: number
  /** The identifier domains that the asker wants, in the order in which they stand in the query. Empty: all. */
  readonly domains: readonly Domain[]
}

/** Q21 (who is this?) and Q23 (by which numbers is this patient known elsewhere?). */
export interface PersonQuery extends AnyQuery {
  readonly kind: 'demographics' | 'identifiers'
  readonly identifier: { readonly system: string; readonly value: string }
}

/** Q22: who could this be? */
export interface CandidateQuery extends AnyQuery {
  readonly kind: 'candidates'
  readonly criteria: PatientCriteria
  /** QPD-4, 0 to 100: nobody of whom it is less sure. */
  readonly confidence?: number
  /** Parameters that were not looked for. The asker is told, because it may be given more people than it asked for. */
  readonly ignored: readonly IgnoredParameter[]
}

export interface IgnoredParameter {
  /** Which repetition of QPD-3, from 1. */
  readonly repetition: number
  /**
   * Patients are not found by the field; its value is none; another value of the same field was sent before it; it
   * is the domain of no number.
   */
  readonly why: 'unknown' | 'unreadable' | 'another' | 'numberless'
}

/** Q24: give me new numbers for a patient. */
export interface AllocationQuery extends AnyQuery {
  readonly kind: 'allocation'
}

export interface Domain {
  readonly system: string
  /** What the asker calls it, where it is called anything. */
  readonly namespace?: string
  /** Which repetition of the field names it, from 1, for the error that it is unknown. */
  readonly repetition: number
}

export interface PatientCriteria {
  readonly identifiers: readonly { readonly system?: string; readonly value: string }[]
  readonly family?: TextCriterion
  readonly given?: TextCriterion
  /** As far as it is known: `1980`, `1980-05`, `1980-05-12`. */
  readonly birthDate?: string
  readonly gender?: NonNullable<Patient['gender']>
  readonly street?: TextCriterion
  readonly city?: TextCriterion
  readonly state?: TextCriterion
  readonly postalCode?: TextCriterion
  readonly country?: TextCriterion
  readonly phone?: TextCriterion
}

export interface TextCriterion {
  readonly text: string
  /** `SMI*`: the rest is open. */
  readonly isPrefix: boolean
}
