import type { Patient } from '../../packages/fhir/r4.ts'
import type { CallOptions } from '../call-options.ts'

/** Who is meant: the master patient index, as the bridge needs it. */
export interface PatientIndex {
  /**
   * The golden record of each patient, in the order asked. Whoever is found for certain is linked; whoever is not gets a
   * golden record of their own. Asked again with the same patient, it answers the same.
   */
  resolve(patients: readonly Patient[], call?: CallOptions): Promise<readonly Resolution[]>
  /** The same for those who are known or found for certain, and undefined for newcomers. Nothing is written. */
  recognise(patients: readonly Patient[], call?: CallOptions): Promise<readonly (Resolution | undefined)[]>
  /** The patients that may be meant, the likeliest first. */
  match(patient: Patient, options?: MatchOptions): Promise<readonly IndexMatch[]>
  /** Resolves when the index can answer. */
  check(call?: CallOptions): Promise<void>
}

export interface MatchOptions extends CallOptions {
  readonly count?: number
  readonly onlyCertainMatches?: boolean
}

export interface Resolution {
  /** The id of the Patient that `Patient.link` of type refer names. */
  readonly goldenId: string
  /** `known`: this record was seen before; `matched`: another record of the person was; `new`: nobody was, for certain. */
  readonly outcome: 'known' | 'matched' | 'new'
  readonly grade?: MatchGrade
  readonly score?: number
  /**
   * Of a known one: other golden records that a number of theirs belongs to. Which of them is theirs somebody has to
   * decide, who is asked when they are resolved.
   */
  readonly rivals?: readonly string[]
  /** Records that were golden until they were merged into this one: what they say of consent holds for the person still. */
  readonly goldenBefore?: readonly string[]
}

export type MatchGrade = 'certain' | 'probable' | 'possible'

export interface IndexMatch {
  readonly patient: Patient & { readonly id: string }
  readonly goldenId: string
  /** From 0 to 1. */
  readonly score: number
  readonly grade: MatchGrade
}
