import type { Queryable } from '../../../../packages/sql/database.ts'
import { runInSteps, stepRows } from '../../../../packages/sql/in-steps.ts'
import { json, kept, sql } from '../../../../packages/sql/sql.ts'
import type { Card } from '../cds-rules.ts'

/** Those that were not taken before. */
export async function takeEvents(ids: readonly string[], now: Date, on: Queryable): Promise<ReadonlySet<string>> {
  const rows = await on.many<{ id: string }>(
    kept(
      'bridge_take_events',
      sql`
    insert into bridge.coordination_events (id, taken_at) select id, ${now}::timestamptz from unnest(${ids}::uuid[]) as n (id)
    on conflict (id) do nothing returning id`,
    ),
  )
  return new Set(rows.map(({ id }) => id))
}

/** An event that is older than every attempt to send it can be forgotten. */
export const forgetEvents = (before: Date, on: Queryable, signal?: AbortSignal): Promise<number> =>
  runInSteps(
    sql`
    delete from bridge.coordination_events where id in (
      select id from bridge.coordination_events where taken_at < ${before} limit ${stepRows})`,
    on,
    signal,
  )

/** These sections of patients' summaries have changed; each patient is there once. */
export async function staleSections(
  changes: readonly { readonly patient: string; readonly sections: readonly string[] }[],
  on: Queryable,
): Promise<void> {
  if (changes.length === 0) return
  await on.run(
    kept(
      'bridge_stale_sections',
      sql`
    update bridge.patient_summaries as s
       set stale_sections = array(
             select distinct unnest(s.stale_sections || string_to_array(n.sections, ' ')) order by 1)
      from unnest(${changes.map(({ patient }) => patient)}::text[],
                  ${changes.map(({ sections }) => sections.join(' '))}::text[]) as n (patient, sections)
     where s.patient = n.patient`,
    ),
  )
}

export const forgetSummaries = (patients: readonly string[], on: Queryable): Promise<number> =>
  on.run(sql`delete from bridge.patient_summaries where patient = any(${patients}::text[])`)

/** Copies of what the store has do not outlive the time for which they are believed. */
export const forgetSummariesBefore = (before: Date, on: Queryable, signal?: AbortSignal): Promise<number> =>
  runInSteps(
    sql`
    delete from bridge.patient_summaries where built_at < ${before} and patient in (
      select patient from bridge.patient_summaries where built_at < ${before} limit ${stepRows})`,
    on,
    signal,
  )

interface StoredSummary {
  readonly content: Readonly<Record<string, unknown>>
  readonly staleSections: readonly string[]
  readonly builtAt: Date
  /** Another one after every change of the row, also one that makes stale what was stale already. */
  readonly mark: string
}

/** Room for a summary of somebody of whom there is none: what changes while it is built has a row to say so in. */
export async function beginSummary(
  patient: string,
  sections: readonly string[],
  now: Date,
  on: Queryable,
): Promise<StoredSummary | undefined> {
  await on.run(sql`
    insert into bridge.patient_summaries (patient, content, stale_sections, built_at)
    values (${patient}, '{}', ${sections}::text[], ${now}) on conflict (patient) do nothing`)
  return readSummary(patient, on)
}

export const readSummary = (patient: string, on: Queryable): Promise<StoredSummary | undefined> =>
  on.maybe<StoredSummary>(sql`
    select content, stale_sections as "staleSections", built_at as "builtAt", xmin::text as mark
      from bridge.patient_summaries where patient = ${patient}`)

/** Unless something became stale while it was built: then it is built again by whoever asks next. */
export async function storeSummary(
  patient: string,
  content: object,
  built: { readonly mark: string; readonly at: Date },
  on: Queryable,
): Promise<void> {
  await on.run(sql`
    update bridge.patient_summaries set content = ${json(content)}::jsonb, stale_sections = '{}', built_at = ${built.at}
     where patient = ${patient} and xmin::text = ${built.mark}`)
}

interface StoredCard {
  readonly id: string
  readonly patient: string
  readonly resource: string
  readonly rule: string
  readonly card: Card
  readonly createdAt: Date
}

/** Those that are not there yet. */
export async function addCards(cards: readonly StoredCard[], on: Queryable): Promise<void> {
  if (cards.length === 0) return
  const column = <Name extends keyof StoredCard>(name: Name) => cards.map((card) => card[name])
  await on.run(
    kept(
      'bridge_add_cards',
      sql`
    insert into bridge.cds_cards (id, patient, resource, rule, card, created_at)
    select id, patient, resource, rule, card::jsonb, created_at
      from unnest(${column('id')}::uuid[], ${column('patient')}::text[], ${column('resource')}::text[],
                  ${column('rule')}::text[], ${cards.map(({ card }) => json(card))}::json[],
                  ${column('createdAt')}::timestamptz[])
           as n (id, patient, resource, rule, card, created_at)
    on conflict (id) do nothing`,
    ),
  )
}

/** What decision support has said of a patient, the latest first. */
export const cardsOf = (
  patient: string,
  limit: number,
  on: Queryable,
): Promise<readonly Omit<StoredCard, 'patient'>[]> =>
  on.many(sql`
    select id, resource, rule, card, created_at as "createdAt" from bridge.cds_cards
     where patient = ${patient} order by created_at desc, id limit ${limit}`)

export const forgetCards = (before: Date, on: Queryable, signal?: AbortSignal): Promise<number> =>
  runInSteps(
    sql`
    delete from bridge.cds_cards where id in (
      select id from bridge.cds_cards where created_at < ${before} limit ${stepRows})`,
    on,
    signal,
  )
