import type { Consent } from '../../../packages/fhir/r4.ts'

/** What the projection needs of a FHIR store: a PUT under the resource's own id. */
export interface ConsentStore {
  put(consent: Consent, options: { readonly signal: AbortSignal }): Promise<void>
}
