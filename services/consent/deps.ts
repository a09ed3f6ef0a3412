import type { Clock } from '../../packages/clock/clock.ts'
import type { Ids } from '../../packages/clock/ids.ts'
import { routeFor } from '../../packages/http/route.ts'
import type { Database } from '../../packages/sql/database.ts'
import type { Outbox } from '../../packages/sql/tasks/outbox.ts'
import type { AuditTrail } from './audit/audit-trail.ts'
import type { EventTelling } from './audit/told-events.ts'
import type { Decision } from './decide.ts'
import type { ImplicitPolicy } from './implicit-policy.ts'
import type { CandidateReader } from './store/candidates.ts'
import type { IdBlocks } from '../../packages/sql/id-blocks.ts'

/** What the routes of the consent service work with. Functions name the part of it that they need. */
export interface ConsentDeps {
  readonly settings: ConsentSettings
  readonly database: Database
  readonly outbox: Outbox
  readonly recordIds: IdBlocks
  readonly candidates: Pick<CandidateReader, 'read' | 'close'>
  readonly audit: AuditTrail
  /** Absent: the FHIR store is told of no event. */
  readonly telling?: EventTelling | undefined
  readonly decisions: DecisionCounter
  /** The type names of FHIR R4. */
  readonly resourceTypes: ReadonlySet<string>
  readonly clock: Clock
  readonly ids: Ids
}

/** Counts decisions by their outcome. */
interface DecisionCounter {
  inc(labels: { readonly outcome: Decision['outcome'] }): void
}

export interface ConsentSettings {
  readonly fhirUrl: string
  /** The zone whose days a period counts. */
  readonly timeZone: string
  readonly implicitPolicy: ImplicitPolicy
  readonly strictOrganisation: boolean
  readonly auditBeforeAnswer: boolean
  readonly fhirProjection: boolean
}

export const consentRoute = routeFor<ConsentDeps>()
