import type { Resource } from '../../../packages/fhir/r4.ts'

/** What projections need of a FHIR R4 server; the port's FhirStore is one. Both can be repeated without harm. */
export interface ProjectionStore {
  /** Replaces the resource of this id, or creates it. */
  update(resource: Resource & { readonly id: string }, options: CallOptions): Promise<unknown>
  /** Creates it unless the criteria find one already. */
  createUnless(resource: Resource, criteria: Readonly<Record<string, string>>, options: CallOptions): Promise<unknown>
}

interface CallOptions {
  readonly signal: AbortSignal
}
