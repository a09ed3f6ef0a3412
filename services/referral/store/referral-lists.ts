import type { PageRequest } from '../../../packages/http/page-envelope.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import { joined, sql, type Statement } from '../../../packages/sql/sql.ts'
import { survivorId } from '../../../ports/patient-index/merges/merge-table.ts'
import type { CountedReferral } from '../referral.ts'
import type { ReferralStatus } from '../transitions.ts'
import { mergeTables } from './merged-patients.ts'
import { columns, openTasks, referralOf, type CountedRow } from './referrals.ts'

export async function referralsBy(
  subject: string,
  page: PageRequest,
  on: Queryable,
): Promise<{ readonly referrals: readonly CountedReferral[]; readonly total: number }> {
  const referrals = await listReferrals(
    sql`where r.created_by = ${subject} order by r.created_at desc, r.id desc`,
    page.offset,
    page.size,
    on,
  )
  const { total } = await on.one<{ total: number }>(
    sql`select count(*)::int as total from referral.referrals where created_by = ${subject}`,
  )
  return { referrals, total }
}

export async function countReferralsOf(patientId: string, on: Queryable): Promise<number> {
  const { total } = await on.one<{ total: number }>(
    sql`select count(*)::int as total from referral.referrals where patient_id = ${survivorId(patientId, mergeTables)}`,
  )
  return total
}

export function referralsOf(
  patientId: string,
  offset: number,
  limit: number,
  on: Queryable,
): Promise<CountedReferral[]> {
  const whose = sql`r.patient_id = ${survivorId(patientId, mergeTables)}`
  return listReferrals(sql`where ${whose} order by r.created_at desc, r.id desc`, offset, limit, on)
}

/** Whose inbox: that of an organisation, of a facility by its client id, or of a facility under all of its names. */
export type InboxOwner =
  | { readonly performerId: string }
  | { readonly receivingFacilityClientId: string }
  | { readonly organisation: string; readonly clientIds: readonly string[] }

/** What an inbox can hold: what is under way, and what stands still until somebody resumes it. */
export const inboxStatuses = ['ACTIVE', 'ONHOLD'] as const
export type InboxStatus = (typeof inboxStatuses)[number]

/** By urgency and then by age; what is on hold comes last, however urgent it was. */
export function inboxOf(
  owner: InboxOwner,
  statuses: readonly InboxStatus[],
  offset: number,
  limit: number,
  on: Queryable,
): Promise<CountedReferral[]> {
  // By the letters of the status: ACTIVE is before ONHOLD, and of one status the order of its index remains.
  const which = sql`where ${isIn(owner, statuses)} order by r.status, r.priority, r.created_at, r.id`
  return listReferrals(which, offset, limit, on)
}

/** How many are in an inbox, and how many of those under way nobody has looked at yet. */
export function countInbox(
  owner: InboxOwner,
  on: Queryable,
): Promise<{ readonly total: number; readonly unread: number }> {
  return on.one(sql`
    select count(*)::int as total, count(*) filter (where r.status = 'ACTIVE' and exists (
      select from referral.tasks t where t.referral_id = r.id and t.status = 'REQUESTED'))::int as unread
    from referral.referrals r where ${isIn(owner, inboxStatuses)}`)
}

/**
 * Each way into it with each status, written out: the indexes of inboxes are of one status, and a condition that all share
 * would be taken out of the brackets, which leaves none but the index of all that have the status.
 */
const isIn = (owner: InboxOwner, statuses: readonly InboxStatus[]): Statement =>
  sql`(${joined(
    statuses.flatMap((status) => waysInto(owner).map((way) => sql`${way} and ${isStatus[status]}`)),
    'or',
  )})`

const isStatus: Readonly<Record<InboxStatus, Statement>> = {
  ACTIVE: sql`r.status = 'ACTIVE'`,
  ONHOLD: sql`r.status = 'ONHOLD'`,
}

function waysInto(owner: InboxOwner): readonly Statement[] {
  if ('performerId' in owner) return [sql`r.performer_id = ${owner.performerId}`]
  if ('receivingFacilityClientId' in owner) {
    return [sql`r.receiving_facility_client_id = ${owner.receivingFacilityClientId}`]
  }
  return [
    sql`r.performer_id = ${owner.organisation}`,
    // A referral need not name a performer: then its client id says who is meant.
    sql`r.performer_id is null and r.receiving_facility_client_id = any(${owner.clientIds}::text[])`,
  ]
}

export async function countByStatus(on: Queryable): Promise<Readonly<Record<ReferralStatus, number>>> {
  const rows = await on.many<{ status: ReferralStatus; count: number }>(
    sql`select status, count(*)::int as count from referral.referrals group by status`,
  )
  const counts = { DRAFT: 0, ACTIVE: 0, ONHOLD: 0, COMPLETED: 0, REVOKED: 0 }
  for (const { status, count } of rows) counts[status] = count
  return counts
}

async function listReferrals(
  which: Statement,
  offset: number,
  limit: number,
  on: Queryable,
): Promise<CountedReferral[]> {
  const rows = await on.many<CountedRow>(
    sql`select ${columns}, ${openTasks} from referral.referrals r ${which} offset ${offset} limit ${limit}`,
  )
  return rows.map(referralOf)
}
