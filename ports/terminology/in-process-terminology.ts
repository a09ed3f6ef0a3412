import type { Coding } from '../../packages/fhir/r4.ts'
import type { CodeNeed, CodeOf, TermAnswer, Terminology } from './terminology.ts'

/** The use cases of the FHIR service itself. */
export interface TerminologyInProcess {
  readonly codingsIn: (needs: readonly CodeNeed[]) => Promise<readonly TermAnswer[]>
  readonly lookup: (coding: CodeOf) => Promise<Coding | undefined>
  readonly state: () => Promise<string>
}

/** The terminology of the same process. */
export function inProcessTerminology({ codingsIn, lookup, state }: TerminologyInProcess): Terminology {
  return {
    async codingsIn(needs, { signal } = {}) {
      signal?.throwIfAborted()
      return codingsIn(needs)
    },
    async lookup(coding, { signal } = {}) {
      signal?.throwIfAborted()
      return lookup(coding)
    },
    state,
  }
}
