import type { Queryable, Transaction } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

interface SentForm {
  readonly form: string
  /** The subject of who sent it: nobody learns what the form of another has made. */
  readonly by: string
}

/** Notes what a form makes. Answers with what it has made: this, or what it made before. */
export async function noteForm({ form, by }: SentForm, referralId: number, tx: Transaction): Promise<number> {
  // Who sends the same form at the same time waits here for the other's end.
  const noted = await tx.maybe<{ id: string }>(sql`
    insert into referral.kept_forms (kept_by, form, referral_id) values (${by}, ${form}, ${referralId})
    on conflict do nothing returning referral_id as id`)
  return noted === undefined ? ((await madeBy({ form, by }, tx)) ?? referralId) : referralId
}

export async function madeBy({ form, by }: SentForm, on: Queryable): Promise<number | undefined> {
  const row = await on.maybe<{ id: string }>(
    sql`select referral_id as id from referral.kept_forms where kept_by = ${by} and form = ${form}`,
  )
  return row === undefined ? undefined : Number(row.id)
}
