import { conflict } from '../../../packages/faults/fault.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { MergeTables } from './merge-table.ts'

/** The turn of one copy to look for merges: only its holder notes any. */
export interface MergeLook {
  readonly holder: string
  /** The time of the newest change that was seen, as the store says it; null before the first. */
  readonly seenUntil: Date | null
  readonly raisedAt: Date
  readonly checkedAt: Date
}

/** Longer than a call to the store takes, after which a copy that died in its turn has lost it. */
const turnMs = 60_000

/**
 * Undefined while another copy has its turn, and where none is due: `everyMs` after the last, or at once without it. Times
 * that lie ahead are of a clock that was wrong.
 */
export async function takeTurn(
  { holder, now, everyMs }: { readonly holder: string; readonly now: Date; readonly everyMs?: number },
  { looks }: MergeTables,
  on: Queryable,
): Promise<MergeLook | undefined> {
  const found = await on.maybe<Omit<MergeLook, 'holder'>>(sql`
    update ${looks} set holder = ${holder}, held_until = ${later(now, turnMs)}, looked_at = ${now}
    where id = 1 and held_until not between ${now} and ${later(now, 2 * turnMs)}
      and (${everyMs === undefined} or looked_at not between ${later(now, -(everyMs ?? 0))} and ${now})
    returning seen_until as "seenUntil", raised_at as "raisedAt", checked_at as "checkedAt"`)
  return found && { holder, ...found }
}

/** In a transaction: nobody else notes merges, or settles on an id, until it ends. */
export async function keepTurn({ holder }: MergeLook, now: Date, { looks }: MergeTables, on: Queryable): Promise<void> {
  const kept = await on.run(
    sql`update ${looks} set held_until = ${later(now, turnMs)} where id = 1 and holder = ${holder}`,
  )
  if (kept === 0) throw conflict('Another copy has taken over the look for merges.')
}

/** Everything that changed until then was seen. */
export async function raiseSeen(
  { holder }: MergeLook,
  { seenUntil, now }: { readonly seenUntil: Date; readonly now: Date },
  { looks }: MergeTables,
  on: Queryable,
): Promise<void> {
  await on.run(sql`
    update ${looks} set seen_until = ${seenUntil}, raised_at = ${now}
    where id = 1 and holder = ${holder} and (seen_until is null or seen_until < ${seenUntil})`)
}

export async function setChecked({ holder }: MergeLook, now: Date, { looks }: MergeTables, on: Queryable) {
  await on.run(sql`update ${looks} set checked_at = ${now} where id = 1 and holder = ${holder}`)
}

export async function endTurn({ holder }: MergeLook, { looks }: MergeTables, on: Queryable): Promise<void> {
  await on.run(sql`update ${looks} set holder = null, held_until = 'epoch' where id = 1 and holder = ${holder}`)
}

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms)
