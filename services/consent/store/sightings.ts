import type { Queryable } from '../../../packages/sql/database.ts'
import { runInSteps, stepRows } from '../../../packages/sql/in-steps.ts'
import { sql } from '../../../packages/sql/sql.ts'

/** A caller asked about a patient for the first time in a window. */
export interface Sighting {
  readonly caller: string
  readonly windowStart: Date
  readonly patientId: string
}

export async function addSightings(sightings: readonly Sighting[], on: Queryable): Promise<void> {
  await on.run(sql`
    insert into consent.sightings (caller, window_start, patient_id)
    select * from unnest(${sightings.map(({ caller }) => caller)}::text[],
      ${sightings.map(({ windowStart }) => windowStart)}::timestamptz[],
      ${sightings.map(({ patientId }) => patientId)}::text[])
    on conflict do nothing`)
}

/**
 * Raises an alert for each caller of these that has seen too many patients in its window and has none yet. Answers with
 * the new ones: all in one statement, for those of one that failed halfway would be raised and told to nobody.
 */
export function raiseAlerts(
  seen: readonly Pick<Sighting, 'caller' | 'windowStart'>[],
  rule: { readonly patientsMax: number; readonly now: Date },
  on: Queryable,
): Promise<{ readonly caller: string; readonly patients: number }[]> {
  const windows = [...Map.groupBy(seen, ({ windowStart }) => windowStart.getTime())]
  const pairs = windows.flatMap(([windowMs, own]) =>
    [...new Set(own.map(({ caller }) => caller))].map((caller) => ({ caller, windowStart: new Date(windowMs) })),
  )
  return on.many(sql`
    insert into consent.enumeration_alerts (caller, window_start, patients, raised_at)
    select s.caller, s.window_start, count(*), ${rule.now}::timestamptz
    from unnest(${pairs.map(({ caller }) => caller)}::text[],
      ${pairs.map(({ windowStart }) => windowStart)}::timestamptz[]) asked (caller, window_start)
    join consent.sightings s on s.caller = asked.caller and s.window_start = asked.window_start
    group by s.caller, s.window_start having count(*) > ${rule.patientsMax}
    on conflict do nothing returning caller, patients`)
}

export async function forgetSightings(before: Date, on: Queryable): Promise<void> {
  await runInSteps(
    sql`delete from consent.sightings where (caller, window_start, patient_id) in (
      select caller, window_start, patient_id from consent.sightings where window_start < ${before} limit ${stepRows})`,
    on,
  )
}
