import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import { routeFor } from '../../../packages/http/route.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { Audited } from '../audit/audited.ts'
import type { Breakers } from '../breakers/breakers.ts'
import type { Retries } from '../durable/retries.ts'
import type { ChannelControl } from '../listeners/channel-control.ts'
import type { LiveEvents } from '../live/live-events.ts'
import type { Dispatch } from '../outbound/start-dispatch.ts'
import type { KnownTerms } from '../terms/known-terms.ts'
import type { CodeRerunJobs } from '../unmapped/code-rerun-jobs.ts'

/** What the admin API works with. */
export interface AdminDeps {
  readonly database: Database
  /** Acts for the bridge: what it has written, it may show again. */
  readonly store: FhirStore
  /** Whatever changes something goes through it. */
  readonly audited: Audited
  readonly breakers: Pick<Breakers, 'entryOf' | 'reset'>
  readonly channels: ChannelControl
  readonly retries: Retries
  readonly dispatch: Pick<
    Dispatch,
    'listSubscriptions' | 'listDeliveries' | 'findDeliveries' | 'resend' | 'resendDead' | 'summaryOf'
  >
  readonly live: Pick<LiveEvents, 'watchFor'>
  readonly terms: Pick<KnownTerms, 'change'>
  readonly codeReruns: Pick<CodeRerunJobs, 'add' | 'following'>
  readonly clock: Clock
  readonly ids: Ids
}

export const adminRoute = routeFor<AdminDeps>()
