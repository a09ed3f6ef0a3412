import type { Neighbours } from '../../packages/service/neighbours.ts'
import { inProcessFhirStore } from '../../ports/fhir-store/in-process-fhir-store.ts'
import { fhirUseCases } from './in-process.ts'
import { patientIndexInProcess } from './match/in-process.ts'
import { facilityRegistryInProcess } from './registry/in-process.ts'
import type { FhirDeps } from './routes/deps.ts'
import { terminologyInProcess } from './terminology/in-process.ts'

/** What the FHIR store does for services of its process, without HTTP. */
export function fhirOffers(deps: FhirDeps) {
  return {
    fhirStore: (caller) => inProcessFhirStore(fhirUseCases(caller, deps)),
    patientIndex: patientIndexInProcess(deps),
    facilityRegistry: (options) => facilityRegistryInProcess(options, deps),
    terminology: terminologyInProcess(deps.terminology),
  } satisfies Neighbours
}
