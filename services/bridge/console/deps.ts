import { routeFor } from '../../../packages/http/route.ts'
import type { SignIn } from '../../../packages/sign-in/sign-in.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { PatientReviews } from '../../../ports/patient-index/patient-reviews.ts'
import type { PatientIndex } from '../../../ports/patient-index/patient-index.ts'
import type { RetryRunJobs } from '../durable/retry-run-jobs.ts'
import type { AdminDeps } from '../routes/deps.ts'
import type { TransactionRow } from '../store/transactions.ts'
import type { FlowFigures } from './overview/flow-figures.ts'
import type { Retold } from './transaction/transaction-mapping.ts'

/** What the console works with beside what the admin API works with. */
export interface ConsoleDeps extends AdminDeps {
  readonly signIn: SignIn
  /** Assets of packages/views and of the console itself, by their names. */
  readonly assetUrl: (name: string) => string
  readonly addresses: Readonly<Record<string, string>>
  readonly index: PatientIndex
  readonly figures: FlowFigures
  readonly retryRuns: Pick<RetryRunJobs, 'begin' | 'stop'>
  /** The FHIR store with the rights of whoever looks. */
  readonly storeOf: (visitor: Visitor) => FhirStore
  /** Pairs of patients that may be one person, for whoever decides on them. */
  readonly reviewsOf: (visitor: Visitor) => PatientReviews
  /** A message as it can be read today, with what each of its fields becomes. */
  readonly retell: (raw: Uint8Array, row: TransactionRow) => Promise<Retold>
}

export const consoleRoute = routeFor<ConsoleDeps>()
