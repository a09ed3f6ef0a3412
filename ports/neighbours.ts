import type { Caller } from '../packages/tokens/caller.ts'
import type { Consent } from './consent/consent.ts'
import type { FacilityRegistry, RegistrationOptions } from './facility-registry/facility-registry.ts'
import type { FhirStore } from './fhir-store/fhir-store.ts'
import type { MergeNews } from './patient-index/merges/merge-news.ts'
import type { PatientIndex } from './patient-index/patient-index.ts'
import type { PatientReviews } from './patient-index/patient-reviews.ts'
import type { ResourceMatching } from './resource-matching/resource-matching.ts'
import type { Terminology } from './terminology/terminology.ts'

export interface FhirStoreOptions {
  /**
   * The caller itself writes an AuditEvent of what it does, durably and into this store: then a call that succeeds needs
   * no second one. What is refused or fails is written down all the same.
   */
  readonly auditsItself?: boolean
}

/**
 * What each service offers the others of its process. Checks and audit are those of the HTTP API; a caller is named as
 * its token would name it (`serviceCaller` of packages/tokens).
 */
declare module '../packages/service/neighbours.ts' {
  interface Neighbours {
    /** Of the FHIR store: everything that the caller's scopes reach. */
    readonly fhirStore?: (caller: Caller, options?: FhirStoreOptions) => FhirStore
    /** Of the FHIR store, for programs that watch the record: the caller's scopes must reach all of it. */
    readonly resourceMatching?: (caller: Caller) => ResourceMatching
    readonly patientIndex?: PatientIndex
    /** Of the FHIR store: who is merged into another, as soon as this process has written it. */
    readonly patientMerges?: MergeNews
    /** Of the patient index, for the administrator who decides. */
    readonly patientReviews?: (caller: Caller) => PatientReviews
    readonly facilityRegistry?: (options: RegistrationOptions) => FacilityRegistry
    readonly terminology?: Terminology
    /** Of the consent service. */
    readonly consent?: (caller: Caller, options?: { readonly deadlineMs?: number }) => Consent
    /** Of the consent service in demo mode: lets a facility that was seen for the first time (`Organization/…`) write. */
    readonly permitFacility?: (organization: string) => Promise<void>
  }
}
