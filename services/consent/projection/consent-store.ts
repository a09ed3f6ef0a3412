import type { Consent } from '../../../packages/fhir/r4.ts'

/** What the projection needs of a FHIR store: an update under an id of our own. */
export interface ConsentStore {
  /** Writing the same twice is writing it once. A fault of kind unprocessable will not mend by repetition. */
  put(consent: Consent & { readonly id: string }, options: { readonly signal: AbortSignal }): Promise<void>
}
