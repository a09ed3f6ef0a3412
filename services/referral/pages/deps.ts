import { routeFor } from '../../../packages/http/route.ts'
import type { SignIn } from '../../../packages/sign-in/sign-in.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { ReferralDeps } from '../deps.ts'

/** What the pages work with beside what the API works with. */
export interface PageDeps extends ReferralDeps {
  readonly signIn: SignIn
  readonly assetUrl: (name: string) => string
  readonly addresses: Readonly<Record<string, string>>
  /** The FHIR store with the rights of whoever looks. */
  readonly storeOf: (visitor: Visitor) => FhirStore
  /** The same with the rights of the service, for names: patients may know who treats them, and cannot search. */
  readonly registry: FhirStore | undefined
}

export const pageRoute = routeFor<PageDeps>()
