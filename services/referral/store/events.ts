import type { Ids } from '../../../packages/clock/ids.ts'
import type { Queryable, Transaction } from '../../../packages/sql/database.ts'
import { json, sql } from '../../../packages/sql/sql.ts'
import type { ReferralEvent } from '../referral.ts'
import { insertAuditRecord, type AuditRecord } from './audit-events.ts'

/** All steps of one call, in their order, and who made it: one statement, since every transition waits for it. */
export async function addTrail(
  events: readonly ReferralEvent[],
  audited: AuditRecord,
  referralId: number,
  ids: Ids,
  tx: Transaction,
): Promise<void> {
  // Sorted: ids made within one millisecond are in no order, and the history is read by them.
  const eventIds = events.map(() => ids.timeUuid()).toSorted()
  await tx.run(sql`
    with audited as (${insertAuditRecord(audited)})
    insert into referral.events (id, referral_id, task_id, at, action, from_status, to_status, reason, note, actor,
      actor_organisation, request_id, decisions)
    select id, ${referralId}, task_id, at, action, from_status, to_status, reason, note, actor,
      actor_organisation, request_id, decisions
    from unnest(${eventIds}::uuid[], ${events.map(({ taskId }) => taskId)}::bigint[],
      ${events.map(({ at }) => at)}::timestamptz[], ${events.map(({ action }) => action)}::text[],
      ${events.map(({ from }) => from)}::text[], ${events.map(({ to }) => to)}::text[],
      ${events.map(({ reason }) => reason)}::text[], ${events.map(({ note }) => note)}::text[],
      ${events.map(({ actor }) => actor)}::text[],
      ${events.map(({ actorOrganisation }) => actorOrganisation)}::text[],
      ${events.map(({ requestId }) => requestId)}::text[], ${events.map(({ decisions }) => json(decisions))}::jsonb[])
      as e (id, task_id, at, action, from_status, to_status, reason, note, actor, actor_organisation, request_id,
        decisions)`)
}

/** Oldest first. */
export async function eventsOf(referralId: number, on: Queryable): Promise<ReferralEvent[]> {
  const rows = await on.many<Omit<ReferralEvent, 'taskId'> & { taskId: string | null }>(sql`
    select at, action, task_id as "taskId", from_status as "from", to_status as "to", reason, note, actor,
      actor_organisation as "actorOrganisation", request_id as "requestId", decisions
    from referral.events where referral_id = ${referralId} order by id`)
  return rows.map((row) => ({ ...row, taskId: row.taskId === null ? null : Number(row.taskId) }))
}
