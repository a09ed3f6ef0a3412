import type { Queryable } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import type { Finished, FinishPart } from '../pipeline/finished.ts'
import type { ConsentRefusal } from '../pipeline/outcome.ts'

/** Keeps why the consent service said no, in the same commit as the end of the message. */
export const consentRefusalsPart: FinishPart = { statement: keepRefusals, committed: () => {} }

function keepRefusals(finished: readonly Finished[]): Statement | undefined {
  const refused = finished.flatMap(({ transactionId, outcome }) =>
    outcome.status === 'ERROR' && outcome.refusal !== undefined ? [{ transactionId, ...outcome.refusal }] : [],
  )
  if (refused.length === 0) return undefined
  return sql`
    insert into bridge.consent_refusals (transaction_id, patient_id, actor, resource_type, operation, reason,
      consent_record_id)
    select * from unnest(
      ${refused.map(({ transactionId }) => transactionId)}::text[],
      ${refused.map(({ patientId }) => patientId)}::text[],
      ${refused.map(({ actor }) => actor)}::text[],
      ${refused.map(({ resourceType }) => resourceType)}::text[],
      ${refused.map(({ operation }) => operation)}::text[],
      ${refused.map(({ reason }) => reason)}::text[],
      ${refused.map(({ consentRecordId }) => consentRecordId)}::bigint[])
    on conflict (transaction_id) do update set patient_id = excluded.patient_id, actor = excluded.actor,
      resource_type = excluded.resource_type, operation = excluded.operation, reason = excluded.reason,
      consent_record_id = excluded.consent_record_id`
}

/** Why consent stopped a message when it was tried last. */
export async function refusalOf(transactionId: string, on: Queryable): Promise<ConsentRefusal | undefined> {
  const row = await on.maybe<Omit<ConsentRefusal, 'consentRecordId'> & { readonly consentRecordId: string | null }>(sql`
    select patient_id as "patientId", actor, resource_type as "resourceType", operation, reason,
      consent_record_id as "consentRecordId"
    from bridge.consent_refusals where transaction_id = ${transactionId}`)
  // A bigint comes as text.
  return row && { ...row, consentRecordId: row.consentRecordId === null ? null : Number(row.consentRecordId) }
}
