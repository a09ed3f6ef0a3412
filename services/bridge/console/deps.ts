import { routeFor } from '../../../packages/http/route.ts'
import type { SignIn } from '../../../packages/sign-in/sign-in.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { PatientIndex } from '../../../ports/patient-index/patient-index.ts'
import type { AdminDeps } from '../routes/deps.ts'

/** What the console works with beside what the admin API works with. */
export interface ConsoleDeps extends AdminDeps {
  readonly signIn: SignIn
  /** Assets of packages/views and of the console itself, by their names. */
  readonly assetUrl: (name: string) => string
  readonly addresses: Readonly<Record<string, string>>
  readonly index: PatientIndex
  /** The FHIR store with the rights of whoever looks. */
  readonly storeOf: (visitor: Visitor) => FhirStore
}

export const consoleRoute = routeFor<ConsoleDeps>()
