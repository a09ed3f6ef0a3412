import type { Neighbours } from '../../packages/service/neighbours.ts'
import { inProcessFhirStore } from '../../ports/fhir-store/in-process-fhir-store.ts'
import { fhirUseCases } from './in-process.ts'
import { patientIndexInProcess } from './patient-index/in-process.ts'
import { patientReviewsInProcess } from './patient-index/reviews-in-process.ts'
import type { MergeListeners } from './patient-index/merges/merge-listeners.ts'
import { resourceMatchingInProcess } from './resource-matching/in-process.ts'
import { facilityRegistryInProcess } from './registry/in-process.ts'
import type { FhirDeps } from './routes/deps.ts'
import { codeFilters } from './terminology/code-filters.ts'
import { terminologyInProcess } from './terminology/in-process.ts'

/** What the FHIR store does for services of its process, without HTTP. */
export function fhirOffers(deps: FhirDeps & { readonly mergeListeners: MergeListeners }) {
  return {
    fhirStore: (caller, options) => inProcessFhirStore(fhirUseCases(caller, deps, options)),
    resourceMatching: (caller) => resourceMatchingInProcess(caller, { ...deps, ...matchingNeeds(deps) }),
    patientIndex: patientIndexInProcess(deps),
    patientMerges: deps.mergeListeners.news,
    patientReviews: (caller) => patientReviewsInProcess(caller, deps),
    facilityRegistry: (options) => facilityRegistryInProcess(options, deps),
    terminology: terminologyInProcess(deps.terminology, deps.database),
  } satisfies Neighbours
}

const matchingNeeds = ({ terminology, base }: FhirDeps) => ({ valueSets: codeFilters(terminology), ownBases: [base] })
