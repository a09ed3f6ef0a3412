import type { Resource } from '../../packages/fhir/r4.ts'

/** What a service needs of the FHIR R4 server. Every call acts for one caller, whose rights the server enforces. */
export interface FhirStore {
  /** Undefined when there is no such resource, or none that this caller may see. */
  read<T extends Resource = Resource>(type: string, id: string, options?: CallOptions): Promise<T | undefined>
  /** The matches of one page, without what was included beside them. */
  search<T extends Resource = Resource>(
    type: string,
    parameters: SearchParameters,
    options?: CallOptions,
  ): Promise<readonly T[]>
  /** Stores a new resource unless one that the search finds is there already; so it can be tried again safely. */
  createUnlessFound(resource: Resource, search: SearchParameters, options?: CallOptions): Promise<void>
}

export type SearchParameters = Readonly<Record<string, string | readonly string[]>>

export interface CallOptions {
  /** Ends the call early, when whoever wanted the answer has gone. */
  readonly signal?: AbortSignal
}
