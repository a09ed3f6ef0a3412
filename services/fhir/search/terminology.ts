import type { ValueSet } from '../../../packages/fhir/r4.ts'

/** What `:in`, `:below` and `:above` ask. Undefined: the value set, or the hierarchy of the system, is not known. */
export interface ValueSets {
  /** Every code of the value set with this address. */
  codesIn(url: string): Promise<readonly SystemCode[] | undefined>
  /** Every code of this value set, whatever its address. */
  codesOfSet(valueSet: ValueSet): Promise<readonly SystemCode[] | undefined>
  /** The code itself and all that it subsumes. */
  codesBelow(system: string, code: string): Promise<readonly SystemCode[] | undefined>
  /** The code itself and all that subsume it. */
  codesAbove(system: string, code: string): Promise<readonly SystemCode[] | undefined>
}

export interface SystemCode {
  readonly system: string
  readonly code: string
}
