import type { Queryable, Transaction } from '../../../packages/sql/queryable.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'

/** Where a service keeps what it knows of merges: tables of its own schema, alike in all of them. */
export interface MergeTables {
  readonly merged: Statement
  readonly looks: Statement
}

/** Both as `Patient/<id>`. */
export interface Merge {
  readonly from: string
  readonly to: string
}

/** The id under which records of this patient stand: that of the last survivor, or their own. */
export const survivorId = (patientId: string | null, { merged }: Pick<MergeTables, 'merged'>): Statement => sql`
  coalesce((select m.survivor_id from ${merged} m where m.patient_id = ${patientId}), ${patientId})`

/** The same, read. */
export async function survivorOf(
  patientId: string,
  tables: Pick<MergeTables, 'merged'>,
  on: Queryable,
): Promise<string> {
  const { id } = await on.one<{ id: string }>(sql`select ${survivorId(patientId, tables)} as id`)
  return id
}

/** Whether the two are one person. */
export async function isSamePerson(
  one: string,
  other: string,
  tables: Pick<MergeTables, 'merged'>,
  on: Queryable,
): Promise<boolean> {
  if (one === other) return true
  const { same } = await on.one<{ same: boolean }>(
    sql`select ${survivorId(one, tables)} = ${survivorId(other, tables)} as same`,
  )
  return same
}

/**
 * For whoever writes a new record: the id under which it belongs. No merge is noted before the transaction ends, so that
 * none is noted between the question and the record.
 */
export async function settledId(patientId: string, tables: MergeTables, tx: Transaction): Promise<string> {
  // In one round trip, and yet one after the other: the second sees what was noted until the first had its lock.
  const [, found = []] = await tx.together([
    sql`select from ${tables.looks} where id = 1 for share`,
    sql`select ${survivorId(patientId, tables)} as id`,
  ])
  // Sound: it is what the statement selects.
  const [row] = found as { readonly id: string }[]
  return row?.id ?? patientId
}

/** The ids that a patient had before, of records that were merged into theirs. */
export async function formerIds(
  patientId: string,
  { merged }: Pick<MergeTables, 'merged'>,
  on: Queryable,
): Promise<readonly string[]> {
  const rows = await on.many<{ id: string }>(
    sql`select patient_id as id from ${merged} where survivor_id = ${patientId} order by 1`,
  )
  return rows.map(({ id }) => id)
}

/** Every id of a person, given one of them: that of the last survivor, and those of all that were merged into it. */
export async function idsOfPerson(
  patientId: string,
  tables: Pick<MergeTables, 'merged'>,
  on: Queryable,
): Promise<readonly string[]> {
  const survivor = await survivorOf(patientId, tables, on)
  return [survivor, ...(await formerIds(survivor, tables, on))]
}

/** True where it was not known yet. Whoever was merged into the one before goes on to the other. */
export async function noteMerge({ from, to }: Merge, now: Date, { merged }: MergeTables, tx: Transaction) {
  const [, noted = []] = await tx.together([
    // The survivor stands: if it was merged itself, that was undone.
    sql`delete from ${merged} where patient_id = ${to}`,
    sql`
      insert into ${merged} as m (patient_id, survivor_id, noted_at) values (${from}, ${to}, ${now})
      on conflict (patient_id) do update set survivor_id = excluded.survivor_id, noted_at = excluded.noted_at
      where m.survivor_id <> excluded.survivor_id returning 1`,
    sql`update ${merged} set survivor_id = ${to}, noted_at = ${now} where survivor_id = ${from}`,
  ])
  return noted.length > 0
}

/** True where it was known: the merge was undone. */
export async function forgetMerge(patientId: string, { merged }: MergeTables, tx: Transaction): Promise<boolean> {
  return (await tx.run(sql`delete from ${merged} where patient_id = ${patientId}`)) > 0
}

/** Those who are known, in the order of their ids, a part at a time. */
export async function knownMerged(
  after: string,
  limit: number,
  { merged }: MergeTables,
  on: Queryable,
): Promise<readonly string[]> {
  const rows = await on.many<{ id: string }>(
    sql`select patient_id as id from ${merged} where patient_id > ${after} order by 1 limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}
