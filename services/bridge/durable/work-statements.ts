import { hasKey } from '../../../packages/sql/has-key.ts'
import { kept, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { SettledWork, Settling } from './settling.ts'
import { isSomeoneBefore } from './someone-before.ts'

type Worked = Settling & { readonly work: SettledWork }

/**
 * The part of S that lets the work go or parks it. Each statement fails, and the transaction with it, unless every row
 * still carries our name and the number of our run. A copy that was taken for dead can finish nothing, and neither can
 * an end of an earlier run that was given up and is committed all the same, when the next run is under way.
 */
export function workStatements(items: readonly Settling[]): readonly Statement[] {
  const worked = items.filter((item): item is Worked => item.work !== undefined)
  const done = worked.filter(({ work }) => work.park === undefined)
  const parked = worked.filter(({ work }) => work.park !== undefined)
  const wakes = done.filter(({ work }) => work.wasParked)
  return [
    ...(worked.length === 0 ? [] : noteRefusals(worked)),
    ...(done.length === 0 ? [] : [letGo(done)]),
    ...(parked.length === 0 ? [] : [park(parked)]),
    ...(wakes.length === 0 ? [] : [wakeNext(wakes)]),
  ]
}

/** SQLSTATE 22012, division by zero: the fence of `letGo` and `park`. */
export const fenceState = '22012'

/** Whoever sends a refused message again is no duplicate; one that an operator has helped through is accepted again. */
function noteRefusals(worked: readonly Worked[]): Statement[] {
  const changed = worked
    .filter(({ finished, work }) => finished.outcome.status === 'ERROR' || (work.run > 1 && work.staysRefused !== true))
    .toSorted((a, b) => Buffer.compare(a.work.key, b.work.key))
  if (changed.length === 0) return []
  return [
    sql`
      update bridge.seen s set is_refused = m.is_refused
      from unnest(${changed.map(({ work }) => work.key)}::bytea[], ${idsOf(changed)}::text[],
        ${changed.map(({ finished }) => finished.outcome.status === 'ERROR')}::boolean[])
        as m (key, transaction_id, is_refused)
      where s.key = m.key and s.transaction_id = m.transaction_id and s.is_refused <> m.is_refused`,
  ]
}

function letGo(done: readonly Worked[]): Statement {
  const rows = done.flatMap(({ work: { places, copy, run } }) => places.map((place) => ({ ...place, copy, run })))
  return kept(
    'bridge_let_go',
    sql`
    with gone as (
      delete from bridge.open_work w
      using unnest(${rows.map(({ lane }) => lane)}::uuid[], ${rows.map(({ ticket }) => ticket)}::bigint[],
        ${rows.map(({ copy }) => copy)}::text[], ${rows.map(({ run }) => run)}::int[]) as m (lane, ticket, copy, run)
      where ${isOurs}
      returning 1)
    select 1 / (count(*) = ${rows.length}::int)::int from gone`,
  )
}

/** Who is parked behind another waits for that one, not for a time. */
function park(parked: readonly Worked[]): Statement {
  const rows = parked.flatMap(({ work: { places, copy, run, park: until } }) =>
    places.map((place) => ({ ...place, ...until, copy, run })),
  )
  return kept(
    'bridge_park',
    sql`
    with parked as (
      update bridge.open_work w set
        copy = null,
        attempt = m.attempt,
        due_at = case
          when not w.is_main then null
          when ${isSomeoneBefore(sql`w`)} then 'infinity'::timestamptz
          else m.due_at end
      from unnest(${rows.map(({ lane }) => lane)}::uuid[], ${rows.map(({ ticket }) => ticket)}::bigint[],
        ${rows.map(({ copy }) => copy)}::text[], ${rows.map(({ attempt }) => attempt ?? 1)}::int[],
        ${rows.map(({ dueAt }) => dueAt ?? null)}::timestamptz[], ${rows.map(({ run }) => run)}::int[])
        as m (lane, ticket, copy, attempt, due_at, run)
      where ${isOurs}
      returning 1)
    select 1 / (count(*) = ${rows.length}::int)::int from parked`,
  )
}

/** The next in each of these lanes, if it is parked, is due now. By keys alone, as `letStrandedGo` has it. */
function wakeNext(done: readonly Worked[]): Statement {
  const lanes = [...new Set(done.flatMap(({ work }) => work.places.map(({ lane }) => lane)))].sort()
  return kept(
    'bridge_wake_next',
    sql`
    update bridge.open_work w set due_at = '-infinity'
    from (
      select main.lane, main.ticket
      from unnest(${lanes}::uuid[]) as left_lane (lane)
      cross join lateral (
        select o.transaction_id from bridge.open_work o where o.lane = left_lane.lane order by o.ticket limit 1) as next
      cross join lateral (
        select o.lane, o.ticket from bridge.open_work o
        where o.transaction_id = next.transaction_id and o.is_main limit 1) as main
    ) as main
    where ${hasKey(place, sql`main.lane, main.ticket`)} and w.copy is null and w.due_at is not distinct from 'infinity'`,
  )
}

const place = sql`w.lane, w.ticket`
const isOurs = sql`${hasKey(place, sql`m.lane, m.ticket`)} and w.copy = m.copy and w.runs = m.run`

const idsOf = (items: readonly Worked[]) => items.map(({ finished }) => finished.transactionId)
