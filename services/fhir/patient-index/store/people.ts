import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { json, kept, sql, type Statement } from '../../../../packages/sql/sql.ts'
import { nameKeyBegin } from '../blocking-keys.ts'
import { fullBirthDate, type Person } from '../person.ts'

/** A row of the index before it is written. */
export interface IndexedPerson {
  readonly patientId: string
  readonly goldenId: string
  /** A golden record: one that stands for somebody whose record is not written yet, or one that was replaced. */
  readonly isProvisional: boolean
  /** It was golden until it was merged into the golden record that it has. */
  readonly wasGolden: boolean
  /** 64 bits as PostgreSQL prints them. */
  readonly fingerprint: string
  readonly person: Person
  readonly keys: readonly string[]
}

/**
 * Writes those that changed, and their keys, in one statement; in the order of ids, so that two writers cannot block each
 * other.
 * @param noting writes down what the condition holds of: a row `new` with the id of somebody as its key, who was known before and of
 *   whom more is said now. It is a part of the same statement, which has both at hand
 */
export function savingPeople(people: readonly IndexedPerson[], noting?: (isMeant: Statement) => Statement): Statement {
  const sorted = people.toSorted((one, other) => (one.patientId < other.patientId ? -1 : 1))
  return kept(
    noting === undefined ? 'fhir_save_people' : 'fhir_save_people_noting',
    sql`
    with changed as materialized (
      select patient_id, golden_id, provisional, was_golden, fingerprint, person, name_parts::text[], keys::text[], born
      from unnest(
        ${sorted.map(({ patientId }) => patientId)}::text[], ${sorted.map(({ goldenId }) => goldenId)}::text[],
        ${sorted.map(({ isProvisional }) => isProvisional)}::boolean[],
        ${sorted.map(({ wasGolden }) => wasGolden)}::boolean[],
        ${sorted.map(({ fingerprint }) => fingerprint)}::bigint[], ${sorted.map(({ person }) => json(person))}::text[],
        ${sorted.map(({ person }) => listOf(namePartsOf(person)))}::text[],
        ${sorted.map(({ keys }) => listOf(keys))}::text[],
        ${sorted.map(({ person }) => fullBirthDate(person) ?? null)}::text[]
      ) as n (patient_id, golden_id, provisional, was_golden, fingerprint, person, name_parts, keys, born)
      where not exists (select from fhir.index_people as same where same.patient_id = n.patient_id
        and same.fingerprint = n.fingerprint and same.provisional = n.provisional and same.was_golden = n.was_golden)
    ), ${noting === undefined ? sql`` : sql`noted as (${noting(saysMore)}), `}saved as (
      insert into fhir.index_people (patient_id, golden_id, provisional, was_golden, fingerprint, person, name_parts)
      select patient_id, golden_id, provisional, was_golden, fingerprint, person, name_parts from changed
      on conflict (patient_id) do update set
        golden_id = excluded.golden_id, provisional = excluded.provisional, was_golden = excluded.was_golden,
        fingerprint = excluded.fingerprint, person = excluded.person, name_parts = excluded.name_parts
    ), gone as (
      delete from fhir.index_keys as k using changed
      where k.patient_id = changed.patient_id and k.key <> all (changed.keys)
    )
    insert into fhir.index_keys as k (key, patient_id, born)
    select own.key, changed.patient_id, case when own.key like ${`${nameKeyBegin}%`} then changed.born end
    from changed cross join lateral unnest(changed.keys) as own (key)
    order by own.key
    on conflict (key, patient_id) do update set born = excluded.born where k.born is distinct from excluded.born`,
  )
}

/**
 * Of the row `new`: a name, a number or a birth date that was not known, or the name of somebody who had none. What is a personal
 * number now was one of a record before there were any.
 */
const saysMore = sql`new.key in (
  select changed.patient_id
  from changed
  join fhir.index_people as before on before.patient_id = changed.patient_id and not before.provisional
  cross join lateral (select changed.person::jsonb as latest, before.person::jsonb as former) as said
  where not ((latest -> 'names') <@ (former -> 'names'))
    or not ((latest -> 'nationalIds') || (latest -> 'personalIds')
      <@ ((former -> 'nationalIds') || coalesce(former -> 'personalIds', '[]') || (former -> 'recordIds')))
    or latest ->> 'birthDate' <> coalesce(former ->> 'birthDate', '')
    or (former -> 'isUnnamed')::boolean and not (latest -> 'isUnnamed')::boolean)`

/** A list within a list, as PostgreSQL reads it. */
export const listOf = (texts: readonly string[]) =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join()}}`

/** For records that were deleted. */
export const removingPeople = (ids: readonly string[]): Statement[] => [
  sql`delete from fhir.index_keys where patient_id = any (${ids}::text[])`,
  sql`delete from fhir.index_people where patient_id = any (${ids}::text[])`,
]

/** For those that stand for somebody whose record has been written by now. Who was replaced stays: merges lead on from it. */
export const removingProvisional = (ids: readonly string[]): Statement =>
  kept(
    'fhir_remove_provisional',
    sql`
    with gone as (
      delete from fhir.index_people
      where patient_id = any (${ids}::text[]) and provisional and golden_id = patient_id returning patient_id
    )
    delete from fhir.index_keys as k using gone where k.patient_id = gone.patient_id`,
  )

/** For golden records that were replaced and are not any more. */
export const removingReplaced = (ids: readonly string[]): Statement =>
  sql`delete from fhir.index_people where patient_id = any (${ids}::text[]) and provisional and golden_id <> patient_id`

/** The records that refer to this golden record, itself among them if it is an ordinary Patient. */
export async function recordsOf(goldenId: string, on: Queryable): Promise<string[]> {
  const rows = await on.many<{ id: string }>(sql`
    select patient_id as id from fhir.index_people where golden_id = ${goldenId} and not provisional order by patient_id`)
  return rows.map(({ id }) => id)
}

/** Of these golden records, those that records refer to or that were replaced: they are somebody's, told with each record of theirs. */
export async function goldenIdsInUse(
  ids: readonly string[],
  on: Queryable,
): Promise<readonly { readonly id: string; readonly person: Person | undefined }[]> {
  const rows = await on.many<{ id: string; person: string | null }>(sql`
    select golden_id as id, person from fhir.index_people where golden_id = any (${ids}::text[]) and not provisional
    union all
    select replaced.patient_id, own.person from fhir.index_people as replaced
    left join fhir.index_people as own on own.golden_id = replaced.golden_id and not own.provisional
    where replaced.patient_id = any (${ids}::text[]) and replaced.golden_id <> replaced.patient_id`)
  return rows.map(({ id, person }) => ({ id, person: person === null ? undefined : personIn(person) }))
}

/** Sound: it was written in this shape. Before there were personal numbers, they were among those of records. */
export const personIn = (text: string): Person => ({ personalIds: [], ...(JSON.parse(text) as PersonBefore) })

type PersonBefore = Omit<Person, 'personalIds'> & Partial<Person>

function namePartsOf({ names }: Person): string[] {
  const parts = names.flatMap(({ family, given }) => [
    ...family.split(' ').map((part) => `family ${part}`),
    ...given.split(' ').map((part) => `given ${part}`),
  ])
  return [...new Set(parts)]
}
