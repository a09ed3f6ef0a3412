import type { Queryable } from '../../../packages/sql/database.ts'
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

/** Raises an alert for each of these callers that has seen too many patients and has none yet. Answers with the new ones. */
export function raiseAlerts(
  callers: readonly string[],
  rule: { readonly windowStart: Date; readonly patientsMax: number; readonly now: Date },
  on: Queryable,
): Promise<{ readonly caller: string; readonly patients: number }[]> {
  return on.many(sql`
    insert into consent.enumeration_alerts (caller, window_start, patients, raised_at)
    select s.caller, s.window_start, count(*), ${rule.now}::timestamptz
    from consent.sightings s
    where s.caller = any (${callers}::text[]) and s.window_start = ${rule.windowStart}
    group by s.caller, s.window_start having count(*) > ${rule.patientsMax}
    on conflict do nothing returning caller, patients`)
}

export async function forgetSightings(before: Date, on: Queryable): Promise<void> {
  await on.run(sql`delete from consent.sightings where window_start < ${before}`)
}
