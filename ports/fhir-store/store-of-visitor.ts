import type { Kit } from '../../packages/service/service.ts'
import type { Visitor } from '../../packages/sign-in/session.ts'
import '../neighbours.ts'
import type { FhirStore } from './fhir-store.ts'
import { httpFhirStore } from './http-fhir-store.ts'

/** The FHIR store as somebody who is signed in may use it: their rights, not the service's. */
export function storeOfVisitor(
  { caller, accessToken }: Pick<Visitor, 'caller' | 'accessToken'>,
  { neighbours, addresses, outbound, clock }: Pick<Kit, 'neighbours' | 'addresses' | 'outbound' | 'clock'>,
): FhirStore {
  return (
    neighbours.fhirStore?.(caller) ??
    httpFhirStore({ base: addresses['fhir'] ?? '', outbound, clock, token: async () => accessToken })
  )
}
