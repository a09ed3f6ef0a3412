import type { Clock } from '../../packages/clock/clock.ts'
import type { Ids } from '../../packages/clock/ids.ts'
import type { IncomingRequest } from '../../packages/http/request.ts'
import type { Database, Transaction } from '../../packages/sql/database.ts'
import type { Outbox } from '../../packages/sql/outbox.ts'
import type { AuthSettings } from './settings.ts'
import { addAuditEvent, type AuditEvent } from './store/audit-events.ts'

/** Everything that is written down about who got in, who did not, and what they got. */
export const auditedEvents = [
  'login',
  'logout',
  'launch created',
  'launch used',
  'launch rejected',
  'code issued',
  'code exchanged',
  'code replayed',
  'token issued',
  'token refreshed',
  'refresh token reused',
  'token revoked',
  'grant revoked',
  'consent refused',
  'client authentication failed',
  'signing key rotated',
  'account changed',
] as const

export type Audited = Omit<AuditEvent, 'id' | 'at' | 'event' | 'outcome'> & {
  readonly event: (typeof auditedEvents)[number]
  readonly outcome?: AuditEvent['outcome']
}

export interface AuditDeps {
  readonly database: Database
  readonly outbox: Outbox
  readonly clock: Clock
  readonly ids: Ids
  readonly settings: Pick<AuthSettings, 'auditToFhir'>
}

/** The topic under which events wait to become FHIR AuditEvents. */
export const auditTopic = 'auth.audit'

/** Writes one row, and the message about it, in the transaction of what it tells about. */
export async function auditIn(
  tx: Transaction,
  audited: Audited,
  { outbox, clock, ids, settings }: Omit<AuditDeps, 'database'>,
) {
  const event: AuditEvent = { outcome: 'success', ...audited, id: ids.timeUuid(), at: clock.now() }
  await addAuditEvent(event, tx)
  if (settings.auditToFhir) {
    await outbox.enqueue(tx, { topic: auditTopic, payload: { ...event, at: event.at.toISOString() } })
  }
}

/** The same for what changes nothing else: a refusal, say. */
export async function audit(audited: Audited, deps: AuditDeps): Promise<void> {
  await deps.database.transaction((tx) => auditIn(tx, audited, deps))
}

/** Where a request came from, for the row. */
export const whence = (request: IncomingRequest) => ({ peer: request.peer, requestId: request.id })
