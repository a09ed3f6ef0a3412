import { sql, type Statement } from '../../../packages/sql/sql.ts'
import type { ProcessIdentity } from '../../../packages/sql/tasks/this-process.ts'

export interface CopyRow {
  readonly id: string
  readonly place: string
  readonly pid: number
  readonly startedAt: Date
}

/** What stands under a copy's name. */
export interface BegunWork {
  readonly transactionId: string
  readonly run: number
}

export const insertCopy = (id: string, { place, pid, startedAt }: ProcessIdentity, leaseMs: number): Statement => sql`
  insert into bridge.copies (id, place, pid, started_at, lease_until)
  values (${id}, ${place}, ${pid}, ${startedAt}, clock_timestamp() + ${leaseMs} * interval '1 millisecond')`

export const extendLease = (id: string, leaseMs: number): Statement => sql`
  update bridge.copies set lease_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond' where id = ${id}`

export const selectCopiesAt = (place: string): Statement => sql`
  select id, place, pid, started_at as "startedAt" from bridge.copies where place = ${place}`

/** Those that are known to be gone, and those whose lease has passed by the database's own clock. */
export const deleteCopies = (gone: readonly string[]): Statement => sql`
  delete from bridge.copies where id = any(${gone}::text[]) or lease_until < clock_timestamp()`

/**
 * The work of copies that are gone becomes parked work, in one statement however much it is: the first of each lane is
 * due, the others follow one by one.
 */
export const releaseOrphans = (): Statement => sql`
  update bridge.open_work w set
    copy = null,
    due_at = case
      when not w.is_main then null
      when exists (select 1 from bridge.open_work mine
                   join bridge.open_work e on e.lane = mine.lane and e.ticket < mine.ticket
                   where mine.transaction_id = w.transaction_id) then 'infinity'::timestamptz
      else '-infinity'::timestamptz end
  where w.copy is not null and not exists (select 1 from bridge.copies c where c.id = w.copy)`

export const selectUnknown = (copy: string, known: readonly string[]): Statement => sql`
  select transaction_id as "transactionId", runs as run from bridge.open_work
  where copy = ${copy} and is_main and transaction_id <> all(${known}::text[])`

export const releaseWork = (copy: string, works: readonly BegunWork[]): Statement => sql`
  update bridge.open_work w set copy = null, due_at = case when w.is_main then '-infinity'::timestamptz end
  from unnest(${works.map(({ transactionId }) => transactionId)}::text[], ${works.map(({ run }) => run)}::int[])
    as m (transaction_id, run)
  where w.transaction_id = m.transaction_id and w.runs = m.run and w.copy = ${copy}`
