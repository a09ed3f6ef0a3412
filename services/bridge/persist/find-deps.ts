import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { Breakers } from '../breakers/breakers.ts'

export interface FindDeps {
  readonly store: FhirStore
  readonly breakers: Pick<Breakers, 'call'>
}
