import type { Queryable, Transaction } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { survivorId, type Merge } from '../../../ports/patient-index/merges/merge-table.ts'
import {
  priorities,
  type Actor,
  type Attention,
  type CountedReferral,
  type Referral,
  type ReferralDraft,
} from '../referral.ts'
import { openTaskStatuses, type ReferralStatus } from '../transitions.ts'
import { mergeTables } from './merged-patients.ts'

export async function addReferral(
  id: number,
  draft: ReferralDraft,
  actor: Actor,
  now: Date,
  tx: Transaction,
): Promise<CountedReferral> {
  const row = await tx.one<CountedRow>(sql`
    insert into referral.referrals as r (id, status, priority, patient_id, requester_id, receiving_facility_client_id,
      performer_id, referral_code, referral_display, reason_codes, clinical_note, shared_resource_types,
      supporting_info, occurrence_date, consent_verified, created_by, sending_organisation, sending_client_id,
      created_at, updated_at, version)
    values (${id}, 'DRAFT', ${priorities.indexOf(draft.priority)}, ${draft.patientId}, ${draft.requesterId},
      ${draft.receivingFacilityClientId}, ${draft.performerId}, ${draft.referralCode}, ${draft.referralDisplay},
      ${draft.reasonCodes}::text[], ${draft.clinicalNote}, ${draft.sharedResourceTypes}::text[],
      ${draft.supportingInfo}::text[], ${draft.occurrenceDate}, false, ${actor.subject}, ${actor.organisation},
      ${actor.clientId}, ${now}, ${now}, 1)
    returning ${columns}, 0 as "openTasks"`)
  return referralOf(row)
}

/** A patient is given only their own, under whichever id: for them any other id is one that does not exist. */
export async function findReferral(
  id: number,
  onlyOf: string | undefined,
  on: Queryable,
): Promise<CountedReferral | undefined> {
  const row = await on.maybe<CountedRow>(sql`
    select ${columns}, ${openTasks} from referral.referrals r
    where r.id = ${id} and (${onlyOf ?? null}::text is null
      or r.patient_id = ${survivorId(onlyOf ?? null, mergeTables)})`)
  return row === undefined ? undefined : referralOf(row)
}

/** The referral, held until the transaction ends: whoever else wants to move it sees what became of it. */
export async function lockReferral(id: number, tx: Transaction): Promise<Referral | undefined> {
  // Without its tasks: a statement that waited for the lock would count them as they were before.
  const row = await tx.maybe<ReferralRow>(
    sql`select ${columns} from referral.referrals r where r.id = ${id} for update`,
  )
  return row === undefined ? undefined : referralOf(row)
}

/** What a transition changes. A member that is not given stays as it is. */
export interface ReferralChange {
  readonly status: ReferralStatus
  readonly statusReason?: string | null
  readonly attention?: Attention | null
  readonly heldAt?: Date | null
  /** Set when the gate has been passed. */
  readonly authoredOn?: Date
  readonly receiver?: { readonly receivingFacilityClientId: string; readonly performerId: string | null }
}

/** Changes the referral if it still is what the caller saw. Undefined when somebody else was faster. */
export async function changeReferral(
  seen: Referral,
  change: ReferralChange,
  now: Date,
  tx: Transaction,
): Promise<CountedReferral | undefined> {
  const after = { ...seen, ...change.receiver, ...change }
  const row = await tx.maybe<CountedRow>(sql`
    update referral.referrals r
    set status = ${after.status}, status_reason = ${after.statusReason}, attention = ${after.attention},
      held_at = ${after.heldAt}, authored_on = ${after.authoredOn},
      consent_verified = consent_verified or ${change.authoredOn !== undefined},
      receiving_facility_client_id = ${after.receivingFacilityClientId}, performer_id = ${after.performerId},
      updated_at = ${now}, version = version + 1
    where r.id = ${seen.id} and r.status = ${seen.status} and r.version = ${seen.version}
    returning ${columns}, ${openTasks}`)
  return row === undefined ? undefined : referralOf(row)
}

/** Writes a draft anew if it still is what the caller saw. Whose it is and who wrote it first stays. */
export async function rewriteDraft(
  seen: Referral,
  draft: ReferralDraft,
  now: Date,
  tx: Transaction,
): Promise<CountedReferral | undefined> {
  const row = await tx.maybe<CountedRow>(sql`
    update referral.referrals r
    set priority = ${priorities.indexOf(draft.priority)}, requester_id = ${draft.requesterId},
      receiving_facility_client_id = ${draft.receivingFacilityClientId}, performer_id = ${draft.performerId},
      referral_code = ${draft.referralCode}, referral_display = ${draft.referralDisplay},
      reason_codes = ${draft.reasonCodes}::text[], clinical_note = ${draft.clinicalNote},
      shared_resource_types = ${draft.sharedResourceTypes}::text[],
      supporting_info = ${draft.supportingInfo}::text[], occurrence_date = ${draft.occurrenceDate},
      updated_at = ${now}, version = version + 1
    where r.id = ${seen.id} and r.status = 'DRAFT' and r.version = ${seen.version}
    returning ${columns}, 0 as "openTasks"`)
  return row === undefined ? undefined : referralOf(row)
}

/** All that name the one name the other from now on. */
export async function moveReferrals({ from, to }: Merge, now: Date, tx: Transaction): Promise<Referral[]> {
  const rows = await tx.many<ReferralRow>(sql`
    update referral.referrals r set patient_id = ${to}, updated_at = ${now}, version = version + 1
    where r.patient_id = ${from}
    returning ${columns}`)
  return rows.map(referralOf)
}

type Stored<Known> = Omit<Known, 'id' | 'priority'> & { readonly id: string; readonly priority: number }
type ReferralRow = Stored<Referral>
export type CountedRow = Stored<CountedReferral>

export const columns = sql`r.id, r.status, r.priority, r.patient_id as "patientId", r.requester_id as "requesterId",
  r.receiving_facility_client_id as "receivingFacilityClientId", r.performer_id as "performerId",
  r.referral_code as "referralCode", r.referral_display as "referralDisplay", r.reason_codes as "reasonCodes",
  r.clinical_note as "clinicalNote", r.shared_resource_types as "sharedResourceTypes",
  r.supporting_info as "supportingInfo", r.occurrence_date as "occurrenceDate", r.status_reason as "statusReason",
  r.consent_verified as "consentVerified", r.authored_on as "authoredOn", r.attention, r.created_by as "createdBy",
  r.sending_organisation as "sendingOrganisation", r.sending_client_id as "sendingClientId",
  r.created_at as "createdAt", r.updated_at as "updatedAt", r.held_at as "heldAt", r.version`

export const openTasks = sql`(select count(*)::int from referral.tasks t
  where t.referral_id = r.id and t.status = any(${openTaskStatuses})) as "openTasks"`

/** Sound: the database checks the range of priority. */
export const referralOf = <Row extends ReferralRow>(row: Row) => ({
  ...row,
  id: Number(row.id),
  priority: priorities[row.priority] as Referral['priority'],
})
