import type { Clock } from '../../packages/clock/clock.ts'
import type { Ids } from '../../packages/clock/ids.ts'
import type { Log } from '../../packages/log/log.ts'
import type { Database } from '../../packages/sql/database.ts'
import type { JobQueue } from '../../packages/sql/tasks/job-queue.ts'
import type { Outbox } from '../../packages/sql/tasks/outbox.ts'
import type { Notifier } from '../../ports/notification/notification.ts'
import type { Consent } from '../../ports/consent/consent.ts'
import type { Facilities } from './facilities.ts'
import type { OwnDocuments } from './own-documents.ts'
import type { ReferralSettings } from './settings.ts'
import type { IdBlocks } from '../../packages/sql/id-blocks.ts'

/** What routes and actions work with. Functions name the part of it that they need. */
export interface ReferralDeps extends ReferralSettings {
  readonly database: Database
  readonly referralIds: IdBlocks
  readonly taskIds: IdBlocks
  readonly outbox: Outbox
  readonly jobs: JobQueue
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly facilities: Facilities
  readonly notifier: Notifier
  readonly consent: Consent
  readonly ownDocuments: OwnDocuments
  /** The ids (`Patient/…`) of records that were merged into this patient's. */
  readonly formerIdsOf: (patientId: string) => Promise<readonly string[]>
  /** The resource types of R4. */
  readonly resourceTypes: ReadonlySet<string>
}
