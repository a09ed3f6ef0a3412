import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Database, Transaction } from '../../../packages/sql/database.ts'
import type { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import type { Statement } from '../../../packages/sql/sql.ts'
import { addAuditEvents, type AuditedRequest, type AuditEvent } from '../store/audit-events.ts'
import type { EndedGrant, EndedOwnGrant } from '../store/grants.ts'

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
  'background work changed',
] as const

export type Audited = Omit<AuditEvent, 'id' | 'at' | 'event' | 'outcome'> & {
  readonly event: (typeof auditedEvents)[number]
  readonly outcome?: AuditEvent['outcome']
}

export interface AuditDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly auditTrail: AuditTrail
}

/** The topic under which events wait to become FHIR AuditEvents. */
export const auditTopic = 'auth.audit'

/** Writes events into the table, and with a message each into the outbox where they also go to the FHIR store. */
export class AuditTrail {
  readonly #deps: AuditTrailDeps
  readonly #alone: Batcher<AuditEvent, undefined>

  constructor(deps: AuditTrailDeps) {
    this.#deps = deps
    this.#alone = new Batcher({
      // While one batch is being written the next one grows; two at once would each cost as much.
      writers: 1,
      ...(deps.gather === undefined ? {} : { gather: deps.gather }),
      write: async (events) => {
        await deps.database.transaction((tx) => tx.commitWith(this.#statements(events, tx)))
        return events.map(() => undefined)
      },
    })
  }

  /** To the FHIR store they go at once, or not before the instant that is given. */
  async add(events: readonly AuditEvent[], tx: Transaction, notBefore?: Date): Promise<void> {
    await tx.together(this.#statements(events, tx, notBefore))
  }

  /** What must go with a statement that writes events of these ids itself. One that it leaves out is told to nobody. */
  announcing(ids: readonly string[], tx: Transaction, notBefore?: Date): readonly Statement[] {
    const { toFhir, outbox } = this.#deps
    if (!toFhir) return []
    tx.afterCommit(() => outbox.wake(auditTopic))
    const when = notBefore === undefined ? {} : { notBefore }
    return [outbox.insert(ids.map((id) => ({ topic: auditTopic, payload: { id }, ...when }))).statement]
  }

  /** Resolves when the event is durable; what comes at the same time is written together. */
  async addAlone(event: AuditEvent): Promise<void> {
    await this.#alone.submit(event)
  }

  #statements(events: readonly AuditEvent[], tx: Transaction, notBefore?: Date): readonly Statement[] {
    const ids = events.map(({ id }) => id)
    return [addAuditEvents(events), ...this.announcing(ids, tx, notBefore)]
  }
}

interface AuditTrailDeps {
  readonly database: Database
  readonly outbox: Outbox
  readonly toFhir: boolean
  /** What is waited for under load, so that more is written together. */
  readonly gather?: () => Promise<void>
}

/** Writes one event in the transaction of what it tells about. */
export const auditIn = (tx: Transaction, audited: Audited, deps: AuditDeps): Promise<void> =>
  deps.auditTrail.add([eventOf(audited, deps)], tx)

/** The same for as many as there are, in one statement; for none it is none. */
export async function auditAllIn(
  tx: Transaction,
  audited: readonly Audited[],
  deps: AuditDeps,
  notBefore?: Date,
): Promise<void> {
  if (audited.length === 0) return
  const events = audited.map((one) => eventOf(one, deps))
  await deps.auditTrail.add(events, tx, notBefore)
}

/** What was lost with grants that ended, an event for each. */
export const endedEvents = (
  ended: readonly (EndedGrant | EndedOwnGrant)[],
  about: Pick<Audited, 'reason' | 'peer' | 'requestId' | 'operator'> = {},
): readonly Audited[] => ended.map((grant) => ({ event: 'grant revoked', ...grant, ...about }))

/** The same for what changes nothing else: a refusal, say, or a token that leaves no row. */
export function audit(audited: Audited, deps: AuditDeps): Promise<void> {
  return deps.auditTrail.addAlone(eventOf(audited, deps))
}

const eventOf = (audited: Audited, { clock, ids }: AuditDeps): AuditEvent => ({
  outcome: 'success',
  ...audited,
  id: ids.timeUuid(),
  at: clock.now(),
})

/** Where a request came from, for the row. */
export const whence = (request: IncomingRequest) => ({ peer: request.peer, requestId: request.id })

/** The same for a statement that writes the row itself. */
export const auditedRequest = (request: IncomingRequest, { ids }: Pick<AuditDeps, 'ids'>): AuditedRequest => ({
  auditId: ids.timeUuid(),
  ...whence(request),
})
