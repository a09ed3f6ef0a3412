import type { Queryable } from '../../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import { changedSince, deletedSince, sameToldBefore, switchedOff, toldBeforeRerun } from '../delivery.ts'

/**
 * Whether the receiver has, or is about to get, a newer version of what this row of `bridge.deliveries` holds: sent now, the
 * row would undo it there. What the receiver said itself is newer, too. One that is dead, or was left out untold, has told
 * nobody anything; nor has one that was left out because this row tells it. A call without content holds nothing that could
 * be old.
 */
export const isSuperseded = (row: Statement): Statement => sql`
  (${row}.payload <> '' and exists (
    select from bridge.deliveries as newer
     where ${isOfSame(sql`newer`, row)} and ${supersedes(sql`newer`)} and ${isNewer(sql`newer`, row)}))`

/**
 * Whether a newer version has arrived there already. Those that were written for one patient wait for each other; what is
 * another patient's by now, or nobody's own, did not wait for this row.
 */
export const isOvertaken = (row: Statement): Statement => sql`
  (${row}.payload <> '' and exists (
    select from bridge.deliveries as newer
     where ${isOfSame(sql`newer`, row)} and newer.status = 'delivered' and ${isNewer(sql`newer`, row)}))`

/** Whether this row supersedes one that is dead: were it forgotten before that one, that one could be sent again. */
export const supersedesDead = (row: Statement): Statement => sql`
  (${supersedes(row)} and exists (
    select from bridge.deliveries as older
     where ${isOfSame(sql`older`, row)} and older.status = 'dead' and older.payload <> ''
       and ${isNewer(row, sql`older`)}))`

const isOfSame = (one: Statement, row: Statement): Statement => sql`
  ${one}.resource = ${row}.resource and ${one}.subscription_id = ${row}.subscription_id`

/**
 * Where versions are counted, by their numbers: messages of two patients may write one resource, and the version that was
 * written first be planned last.
 */
const isNewer = (one: Statement, row: Statement): Statement => sql`
  case when ${isCounted(one)} and ${isCounted(row)} then ${one}.version_id::bigint > ${row}.version_id::bigint
       else ${placeOf(one)} > ${placeOf(row)} end`

/** As `version-before.ts` has it. */
const isCounted = (row: Statement): Statement => sql`${row}.version_id ~ '^[1-9][0-9]{0,14}$'`

const supersedes = (row: Statement): Statement => isToldUnless([...untold, ...toldByAnother], row)

/** Whether the receiver has heard of what this row holds, is about to, or need not. */
export const isHeardOf = (row: Statement): Statement => isToldUnless(untold, row)

/** Left out for these reasons, it was meant to be told, and nobody has heard of it. */
const untold = [switchedOff, changedSince, deletedSince]

/** Left out for these, it is told by an earlier one. */
const toldByAnother = [sameToldBefore, toldBeforeRerun]

const isToldUnless = (reasons: readonly string[], row: Statement): Statement => sql`
  (${row}.status in ('delivered', 'waiting')
   or (${row}.status = 'skipped' and ${row}.last_error <> all(${reasons}::text[])))`

/** In the order of planning. Versions of one moment are told apart by their numbers, of which a longer one is larger. */
export const placeOf = (row: Statement): Statement =>
  sql`(${row}.created_at, coalesce(length(${row}.version_id), 0), coalesce(${row}.version_id, ''))`

/** Which of these are. */
export async function supersededAmong(ids: readonly string[], on: Queryable): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await on.many<{ id: string }>(sql`
    select d.id from bridge.deliveries as d where d.id = any(${ids}::uuid[]) and ${isSuperseded(sql`d`)}`)
  return new Set(rows.map(({ id }) => id))
}
