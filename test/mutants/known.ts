/** A mutant that does just what the code does, so that no test can tell them apart. */
export interface KnownMutant {
  readonly file: string
  /** The lines that the mutant touches, as it makes them (`Mutant.after`). */
  readonly after: string
  readonly why: string
}

export const knownMutants: readonly KnownMutant[] = []
