import type { Queryable, Transaction } from '../../../../packages/sql/queryable.ts'
import { json, sql } from '../../../../packages/sql/sql.ts'
import type { Person } from '../person.ts'

/** A row of the index before it is written. */
export interface IndexedPerson {
  readonly patientId: string
  readonly goldenId: string
  readonly isProvisional: boolean
  /** 64 bits as PostgreSQL prints them. */
  readonly fingerprint: string
  readonly person: Person
  readonly keys: readonly string[]
}

/** Writes those that changed, and their keys; in the order of ids, so that two writers cannot block each other. */
export async function savePeople(people: readonly IndexedPerson[], tx: Transaction): Promise<void> {
  const changed = await changedOf(people, tx)
  if (changed.length === 0) return
  const ids = changed.map(({ patientId }) => patientId)
  await tx.run(sql`
    insert into fhir.index_people (patient_id, golden_id, provisional, fingerprint, person, name_parts)
    select patient_id, golden_id, provisional, fingerprint, person, string_to_array(parts, '|') from unnest(
      ${ids}::text[], ${changed.map(({ goldenId }) => goldenId)}::text[],
      ${changed.map(({ isProvisional }) => isProvisional)}::boolean[],
      ${changed.map(({ fingerprint }) => fingerprint)}::bigint[], ${changed.map(({ person }) => json(person))}::text[],
      ${changed.map(({ person }) => namePartsOf(person).join('|'))}::text[]
    ) as n (patient_id, golden_id, provisional, fingerprint, person, parts)
    on conflict (patient_id) do update set
      golden_id = excluded.golden_id, provisional = excluded.provisional, fingerprint = excluded.fingerprint,
      person = excluded.person, name_parts = excluded.name_parts`)
  await replaceKeys(changed, ids, tx)
}

/** For records that were deleted, and for provisional ones that have been written by now. */
export async function removePeople(ids: readonly string[], tx: Transaction): Promise<void> {
  if (ids.length === 0) return
  await tx.run(sql`delete from fhir.index_keys where patient_id = any (${ids}::text[])`)
  await tx.run(sql`delete from fhir.index_people where patient_id = any (${ids}::text[])`)
}

export async function removeProvisional(ids: readonly string[], tx: Transaction): Promise<void> {
  if (ids.length === 0) return
  const gone = await tx.many<{ id: string }>(sql`
    delete from fhir.index_people where patient_id = any (${ids}::text[]) and provisional returning patient_id as id`)
  if (gone.length === 0) return
  await tx.run(sql`delete from fhir.index_keys where patient_id = any (${gone.map(({ id }) => id)}::text[])`)
}

/** The records that refer to this golden record, itself among them if it is an ordinary Patient. */
export async function recordsOf(goldenId: string, on: Queryable): Promise<string[]> {
  const rows = await on.many<{ id: string }>(sql`
    select patient_id as id from fhir.index_people where golden_id = ${goldenId} and not provisional order by patient_id`)
  return rows.map(({ id }) => id)
}

async function changedOf(people: readonly IndexedPerson[], tx: Transaction): Promise<IndexedPerson[]> {
  const byId = new Map(people.map((person) => [person.patientId, person]))
  const known = await tx.many<{ id: string; fingerprint: string; provisional: boolean }>(sql`
    select patient_id as id, fingerprint, provisional from fhir.index_people
    where patient_id = any (${[...byId.keys()]}::text[])`)
  for (const { id, fingerprint, provisional } of known) {
    const given = byId.get(id)
    if (given?.fingerprint === fingerprint && given.isProvisional === provisional) byId.delete(id)
  }
  return [...byId.values()].sort((one, other) => (one.patientId < other.patientId ? -1 : 1))
}

async function replaceKeys(people: readonly IndexedPerson[], ids: readonly string[], tx: Transaction): Promise<void> {
  const rows = people.flatMap(({ patientId, keys }) => keys.map((key) => ({ patientId, key })))
  rows.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
  const given = sql`unnest(
    ${rows.map(({ key }) => key)}::text[], ${rows.map(({ patientId }) => patientId)}::text[]) as n (key, patient_id)`
  await tx.run(sql`
    delete from fhir.index_keys as k where k.patient_id = any (${ids}::text[])
      and not exists (select from ${given} where n.key = k.key and n.patient_id = k.patient_id)`)
  await tx.run(sql`insert into fhir.index_keys (key, patient_id) select key, patient_id from ${given}
    on conflict do nothing`)
}

/** A name has only letters, digits and spaces, so a bar can part them. */
function namePartsOf({ names }: Person): string[] {
  const parts = names.flatMap(({ family, given }) => [
    ...family.split(' ').map((part) => `family ${part}`),
    ...given.split(' ').map((part) => `given ${part}`),
  ])
  return [...new Set(parts)]
}
