import type { Fault } from '../../../packages/faults/fault.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { Outbox, OutboxWorker } from '../../../packages/sql/tasks/outbox.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import { auditIds } from '../../../ports/fhir-store/write-audit-events.ts'
import type { AuditRecord } from '../store/audit-events.ts'
import { findReferral } from '../store/referrals.ts'
import { tasksOf } from '../store/tasks.ts'
import { projectAudit } from './project-audit.ts'
import { projectReferral } from './project-referral.ts'

export const projectionTopic = 'referral.fhir'
export const auditTopic = 'referral.audit'

export interface ProjectionMessage {
  readonly referralId: number
}

/** Both can be repeated without harm. */
type ProjectionStore = Pick<FhirStore, 'update' | 'createUnlessFound'>

interface DeliverDeps {
  readonly outbox: Outbox
  readonly database: Database
  readonly store: ProjectionStore
  readonly identifierSystem: string
}

/**
 * Brings the FHIR store up to date after a change. The message names only the referral: what is written is its state at
 * the time of writing, so a late or repeated delivery can never bring an old state back.
 */
export function deliverProjections(deps: DeliverDeps): OutboxWorker<ProjectionMessage> {
  const { outbox, database, store, identifierSystem } = deps
  return outbox.deliver<ProjectionMessage>({
    topics: [projectionTopic],
    isPermanent,
    attemptsMax,
    handle: async ({ payload }, signal) => {
      const referral = await findReferral(payload.referralId, undefined, database)
      if (referral === undefined) return
      const projected = projectReferral(referral, await tasksOf(referral.id, database), identifierSystem)
      await store.update(projected.serviceRequest, { signal })
      for (const task of projected.tasks) await store.update(task, { signal })
    },
  })
}

export function deliverAudit({ outbox, store }: Pick<DeliverDeps, 'outbox' | 'store'>): OutboxWorker<AuditRecord> {
  return outbox.deliver<AuditRecord>({
    topics: [auditTopic],
    isPermanent,
    attemptsMax,
    handle: async ({ payload }, signal) => {
      // Servers keep audit events from being changed, so one that comes twice is told by its tag.
      await store.createUnlessFound(projectAudit(payload), { _tag: `${auditIds}|${payload.id}` }, { signal })
    },
  })
}

/** With a wait of at most five minutes, more than three days: a store that was away for a weekend is caught up with. */
const attemptsMax = 1_000

/** What the server finds wrong with a resource stays wrong: it is kept for a person to look at. */
const isPermanent = ({ kind }: Fault) => kind === 'unprocessable' || kind === 'incorrect'
