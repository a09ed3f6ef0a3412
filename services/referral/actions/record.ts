import type { OutboxMessage } from '../../../packages/sql/tasks/outbox.ts'
import type { Transaction } from '../../../packages/sql/database.ts'
import type { ReferralDeps } from '../deps.ts'
import { planNotices } from '../notices/plan-notices.ts'
import type { Side } from '../party-rules.ts'
import { auditTopic, projectionTopic, type ProjectionMessage } from '../projection/deliver.ts'
import type { Actor, GateDecision, Referral, ReferralEvent } from '../referral.ts'
import { insertAuditRecord, type AuditRecord } from '../store/audit-events.ts'
import { addTrail } from '../store/events.ts'

type RecordDeps = Pick<ReferralDeps, 'outbox' | 'ids' | 'facilities' | 'notifier' | 'fhirProjection'>

/** One change of a status: the referral's own, or a task's. */
export type Step = Pick<ReferralEvent, 'action' | 'taskId' | 'from' | 'to' | 'reason'> &
  Partial<Pick<ReferralEvent, 'note'>>

interface Done {
  /** As it is after the change. */
  readonly referral: Referral
  readonly at: Date
  readonly actor: Actor
  /** The first is what the caller asked for; the others followed from it. */
  readonly steps: readonly [Step, ...Step[]]
  readonly decisions?: readonly GateDecision[]
  readonly tell: readonly Side[]
  /** How the notification calls it, to each side where they are told different things. */
  readonly what: string | Readonly<Record<Side, string>>
}

/** Everything that a transition leaves behind, in the transaction that makes it. */
export async function record(done: Done, tx: Transaction, deps: RecordDeps): Promise<void> {
  const { referral, at, actor, steps, decisions = [], what } = done
  const [first] = steps
  const events = steps.map((step, index) => ({
    ...step,
    note: step.note ?? null,
    at,
    actor: actor.subject,
    actorOrganisation: actor.organisation,
    requestId: actor.requestId,
    decisions: index === 0 ? decisions : [],
  }))
  const audited = auditRecord(
    { at, action: first.action, outcome: 'success', referral, actor, taskId: first.taskId },
    deps,
  )
  await addTrail(events, audited, referral.id, deps.ids, tx)
  const happening = { referral, taskId: first.taskId, status: first.to, at }
  const notices = done.tell.flatMap((side) =>
    planNotices({ ...happening, what: typeof what === 'string' ? what : what[side] }, side, deps),
  )
  const messages = [...projections(audited, [referral.id], deps), ...notices]
  if (messages.length > 0) await deps.outbox.enqueue(tx, ...messages)
}

interface Lone {
  readonly action: string
  readonly referral: Referral
  readonly actor: Actor
  readonly taskId?: number
}

type LoneDeps = RecordDeps & Pick<ReferralDeps, 'database' | 'clock'>

/** What was refused to a known caller changes nothing, and is still written down. */
export const recordRefusal = (refused: Lone, deps: LoneDeps): Promise<void> => recordAlone(refused, 'refused', deps)

/** Written before anything is shown: who has read what a clinician wrote about a patient. */
export const recordLook = (look: Pick<Lone, 'referral' | 'actor'>, deps: LoneDeps): Promise<void> =>
  recordAlone({ ...look, action: 'read' }, 'success', deps)

/** A list shows many at once; it is one look, written down beside the search for what is on it. */
export function recordListLook(
  { actor, list, patientId }: { readonly actor: Actor; readonly list: string; readonly patientId?: string },
  deps: LoneDeps,
): Promise<void> {
  const of = { referralId: null, taskId: null, patientId: patientId ?? null, list }
  return addAudit({ ...lookNow('list', deps), ...of, ...actor }, deps)
}

/** Who asked what the patient lets a facility see: of a referral, or of one that is only being written. */
export function recordGateLook(
  {
    actor,
    referralId,
    patientId,
  }: { readonly actor: Actor; readonly referralId: number | null; readonly patientId: string },
  deps: LoneDeps,
): Promise<void> {
  return addAudit({ ...lookNow('gate', deps), referralId, taskId: null, patientId, ...actor }, deps)
}

const lookNow = (action: string, { ids, clock }: LoneDeps) =>
  ({ id: ids.timeUuid(), at: clock.now().toISOString(), action, outcome: 'success' }) as const

const recordAlone = (call: Lone, outcome: AuditRecord['outcome'], deps: LoneDeps): Promise<void> =>
  addAudit(auditRecord({ ...call, at: deps.clock.now(), taskId: call.taskId ?? null, outcome }, deps), deps)

async function addAudit(audited: AuditRecord, deps: LoneDeps): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await tx.run(insertAuditRecord(audited))
    const messages = projections(audited, [], deps)
    if (messages.length > 0) await deps.outbox.enqueue(tx, ...messages)
  })
}

/** What the FHIR server is to be told: the call itself, and the referrals that it changed. */
function projections(
  audited: AuditRecord,
  changed: readonly number[],
  { fhirProjection }: Pick<ReferralDeps, 'fhirProjection'>,
): OutboxMessage[] {
  if (!fhirProjection) return []
  const referrals = changed.map((referralId) => ({
    ...{ topic: projectionTopic, key: String(referralId), payload: { referralId } satisfies ProjectionMessage },
  }))
  return [...referrals, { topic: auditTopic, payload: audited }]
}

function auditRecord(call: Audited, { ids }: Pick<RecordDeps, 'ids'>): AuditRecord {
  const { at, action, outcome, taskId, referral, actor } = call
  const what = { action, outcome, taskId, referralId: referral.id, patientId: referral.patientId }
  return { id: ids.timeUuid(), at: at.toISOString(), ...what, ...actor }
}

interface Audited extends Pick<AuditRecord, 'action' | 'outcome' | 'taskId'> {
  readonly at: Date
  readonly referral: Referral
  readonly actor: Actor
}
