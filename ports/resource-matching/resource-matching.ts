import type { Resource } from '../../packages/fhir/r4.ts'
import type { CallOptions } from '../call-options.ts'

/**
 * What whoever watches the record needs of the FHIR server: to see what was written as it was written, and to know
 * which searches it would be found by.
 */
export interface ResourceMatching {
  /** In the order asked; undefined for what is not there or was deleted with that version. One round trip. */
  readVersions(versions: readonly SoughtVersion[], options?: CallOptions): Promise<readonly (Resource | undefined)[]>
  /**
   * Of each resource, whether the search finds it. `incorrect` for criteria that cannot be searched, `missing` where they
   * name a value set that the server does not know.
   */
  matches(criteria: Criteria, resources: readonly Resource[], options?: CallOptions): Promise<readonly boolean[]>
}

export interface SoughtVersion {
  readonly type: string
  readonly id: string
  /** Undefined: the current one. */
  readonly version: string | undefined
}

/** `Encounter` and `class=IMP&status=in-progress`. */
export interface Criteria {
  readonly type: string
  readonly query: string
}
