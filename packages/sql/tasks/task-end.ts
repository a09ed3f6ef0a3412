import type { Fault } from '../../faults/fault.ts'
import { hasKey } from '../has-key.ts'
import { kept, sql, type Statement } from '../sql.ts'
import type { TaskTableName } from './task-statements.ts'
import type { ClaimedTask } from './task.ts'

/** How an attempt at a task has ended. */
export type TaskEnd<Payload = unknown, Result = unknown> =
  | Done<Payload, Result>
  | Failed<Payload>
  | Dead<Payload>
  | Untried<Payload>

interface Done<Payload, Result> {
  readonly is: 'done'
  readonly task: ClaimedTask<Payload>
  readonly result: Result
}

/** It is tried again at this instant. */
interface Failed<Payload> {
  readonly is: 'failed'
  readonly task: ClaimedTask<Payload>
  readonly fault: Fault
  readonly nextAt: Date
}

/** No attempt is left: it is kept, and no longer holds back those after it. */
interface Dead<Payload> {
  readonly is: 'dead'
  readonly task: ClaimedTask<Payload>
  readonly fault: Fault
}

/** Given back as it was, because this copy stops, its turn came too late, or what it needs is away until then. */
interface Untried<Payload> {
  readonly is: 'untried'
  readonly task: ClaimedTask<Payload>
  readonly nextAt?: Date
  /** Why it waits until then. */
  readonly fault?: Fault
}

/** What ends them, one statement for each way. Each answers with the ids of those whose lease was still the given one. */
export function endTasks(table: TaskTableName, ends: readonly TaskEnd[], now: Date): Statement[] {
  const done = ends.filter((end) => end.is === 'done')
  const failed = ends.filter((end) => end.is === 'failed')
  const dead = ends.filter((end) => end.is === 'dead')
  const untried = ends.filter((end) => end.is === 'untried')
  return [
    ...(done.length === 0 ? [] : [removeTasks(table, done)]),
    ...(failed.length === 0 ? [] : [postponeTasks(table, failed)]),
    ...(dead.length === 0 ? [] : [buryTasks(table, dead, now)]),
    ...(untried.length === 0 ? [] : [releaseTasks(table, untried)]),
  ]
}

function removeTasks({ name, table }: TaskTableName, ends: readonly Done<unknown, unknown>[]): Statement {
  const leave = sql`
    delete from ${table} as task using unnest(${claims(ends)}) as mine (shard, id, lease) where ${isMine}`
  return kept(`${name}_remove`, andLetNextGo(table, leave))
}

function postponeTasks({ name, table }: TaskTableName, ends: readonly Failed<unknown>[]): Statement {
  return kept(
    `${name}_postpone`,
    sql`
    update ${table} as task set lease = null, next_at = mine.next_at, last_error = mine.error
      from unnest(${claims(ends)}, ${ends.map(({ nextAt }) => nextAt)}::timestamptz[], ${ends.map(errorOf)}::text[])
           as mine (shard, id, lease, next_at, error)
     where ${isMine} returning task.id`,
  )
}

function buryTasks({ table }: TaskTableName, ends: readonly Dead<unknown>[], now: Date): Statement {
  const leave = sql`
    update ${table} as task set lease = null, dead_at = ${now}::timestamptz, last_error = mine.error
      from unnest(${claims(ends)}, ${ends.map(errorOf)}::text[]) as mine (shard, id, lease, error) where ${isMine}`
  return andLetNextGo(table, leave)
}

/** Due since it was made, unless it has to wait: what came while it was held stays behind it. */
function releaseTasks({ table }: TaskTableName, ends: readonly Untried<unknown>[]): Statement {
  return sql`
    update ${table} as task set lease = null, next_at = coalesce(mine.next_at, task.created_at), attempts = task.attempts - 1
      from unnest(${claims(ends)}, ${ends.map(({ nextAt }) => nextAt ?? null)}::timestamptz[])
           as mine (shard, id, lease, next_at)
     where ${isMine} returning task.id`
}

const claims = (ends: readonly TaskEnd[]): Statement => sql`
  ${ends.map(({ task }) => task.shard)}::smallint[], ${ends.map(({ task }) => task.id)}::uuid[],
  ${ends.map(({ task }) => task.lease)}::uuid[]`

const isMine = sql`${hasKey(sql`task.shard, task.id`, sql`mine.shard, mine.id`)} and task.lease = mine.lease`

/**
 * Whether the task whose shard, id and lease stand in the columns `shard`, `task_id` and `lease` of this row is still held:
 * for what is kept of an attempt. A copy that lost the lease has nothing to say, and whoever has it now will.
 */
export const isHeld = ({ table }: TaskTableName, row: Statement): Statement => sql`
  exists (select from ${table} as held
           where ${hasKey(sql`held.shard, held.id`, sql`${row}.shard, ${row}.task_id`)} and held.lease = ${row}.lease)`

export const errorOf = ({ fault }: { readonly fault: Fault }): string => (fault.logged ?? fault.message).slice(0, 500)

/** In one statement, so that there is no moment in between to die in. The rows that leave are still visible to it. */
const andLetNextGo = (table: Statement, leave: Statement) => sql`
  with gone as (${leave} returning task.shard, task.id, task.queue, task.key),
  next_gone as (
    update ${table} as task set waits = false
      from (select distinct shard, queue, key from gone where key is not null) as line
      cross join lateral (
        select first.id from ${table} as first
         where first.shard = line.shard and first.queue = line.queue and first.key = line.key
           and first.dead_at is null and first.id not in (select id from gone)
         order by first.position, first.id limit 1) as next
     where ${hasKey(sql`task.shard, task.id`, sql`line.shard, next.id`)} and task.waits)
  select id from gone`
