import type { Coding } from '../../packages/fhir/r4.ts'
import type { CallOptions } from '../call-options.ts'

/** What codes mean: the terminology service, as the bridge needs it. */
export interface Terminology {
  /**
   * Each code in the system that is wanted, in the order asked. A code that is already of that system is checked; any
   * other is translated, and only to what says no more than it did.
   */
  codingsIn(needs: readonly CodeNeed[], call?: CallOptions): Promise<readonly TermAnswer[]>
  /** What was answered before, in the order asked and whatever its age: for when nobody can be asked. */
  remembered?(needs: readonly CodeNeed[]): readonly (TermAnswer | undefined)[]
  /** Another text whenever something of what it knows has changed; undefined where nobody can tell. */
  readonly state?: () => Promise<string>
  /** What is known about a code; undefined when nothing is. */
  lookup(coding: CodeOf, call?: CallOptions): Promise<Coding | undefined>
}

export interface CodeOf {
  readonly system: string
  readonly code: string
}

export interface CodeNeed extends CodeOf {
  /** The system in which the exchange wants it. */
  readonly target: string
  readonly display?: string
}

/** Codings in the wanted system, or that there are none. What cannot be checked is taken as it is. */
export type TermAnswer = readonly Coding[] | 'unmapped'
