import { hasKey } from '../has-key.ts'
import { kept, sql, type Statement } from '../sql.ts'
import type { TaskTableName } from './task-statements.ts'
import { shardOf } from './task.ts'

/** The tasks of one queue and key. */
export interface LineName {
  readonly queue: string
  readonly key: string
}

interface LineClaim {
  readonly lease: string
  /** Of the one who asks and has nothing in hand: they may stand there because the database was away. */
  readonly former: readonly string[]
  readonly leaseEnds: Date
  readonly now: Date
}

/**
 * Takes a line in which something waits and which nobody has in hand. It locks the line's own row, not a task: a task
 * that was added earlier and committed later can become the first at any moment, and two could each take a first one.
 */
export function takeLine({ name, table }: TaskTableName, line: LineName, claim: LineClaim): Statement {
  const { lease, former, leaseEnds, now } = claim
  const isHeld = (of: Statement) => sql`
    ${of}.lease is not null and ${of}.lease <> all(${former}::uuid[]) and ${of}.lease_ends > ${now}::timestamptz`
  return kept(
    `${name}_take_line`,
    sql`
    insert into kit.lines as line (shard, queue, key, lease, lease_ends, position)
    select ${shardOf(line.key)}::smallint, ${line.queue}::text, ${line.key}::text, ${lease}::uuid,
           ${leaseEnds}::timestamptz, 0
     where exists (select from ${table} as task where ${isIn(sql`task`, line)} and task.dead_at is null)
       and not exists (select from kit.lines as held where ${isIn(sql`held`, line)} and ${isHeld(sql`held`)})
    on conflict (shard, queue, key) do update set lease = excluded.lease, lease_ends = excluded.lease_ends
      where not (${isHeld(sql`line`)})
    returning line.lease`,
  )
}

/**
 * The first tasks of a line, once it is ours; none if it is not. A statement of its own behind `takeLine`, because that
 * may have waited for whoever had the line before: only what begins afterwards sees what was removed.
 */
export function readLine(
  { name, table }: TaskTableName,
  line: LineName,
  { lease, limit, bytesMax }: { readonly lease: string; readonly limit: number; readonly bytesMax: number },
): Statement {
  return kept(
    `${name}_read_line`,
    sql`
    select first.shard, first.id, first.queue, first.key, first.payload, first.attempts + 1 as attempt,
           ${lease}::uuid as lease, first.created_at as "createdAt", first.bytes
      from (select task.*, sum(task.bytes) over (order by task.position, task.id) - task.bytes as before
              from (select task.shard, task.id, task.queue, task.key, task.position, task.payload, task.attempts,
                           task.created_at, pg_column_size(task.payload) as bytes
                      from ${table} as task
                     where ${isIn(sql`task`, line)} and task.dead_at is null
                       and exists (select from kit.lines as mine where ${isIn(sql`mine`, line)} and mine.lease = ${lease}::uuid)
                     order by task.position, task.id
                     limit ${limit}) as task) as first
     where first.before < ${bytesMax}
     order by first.position, first.id`,
  )
}

/** Removes tasks that are done and lets the line go, both or neither. Answers with the ids of the removed. */
export function completeLine(
  { name, table }: TaskTableName,
  line: LineName,
  { lease, ids }: { readonly lease: string; readonly ids: readonly string[] },
): Statement {
  const isDone = hasKey(sql`task.shard, task.id`, sql`${shardOf(line.key)}::smallint, done.id`)
  return kept(
    `${name}_complete_line`,
    sql`
    with done as (select unnest(${ids}::uuid[]) as id),
    held as (
      update kit.lines as line set lease = null, lease_ends = null,
             position = greatest(line.position, (select max(task.position) from ${table} as task, done where ${isDone}))
       where ${isIn(sql`line`, line)} and line.lease = ${lease}::uuid
      returning line.lease)
    delete from ${table} as task using done where ${isDone} and exists (select from held)
    returning task.id`,
  )
}

/** Lets a line go as it is. */
export const releaseLine = (line: LineName, lease: string): Statement => sql`
  update kit.lines as line set lease = null, lease_ends = null
   where ${isIn(sql`line`, line)} and line.lease = ${lease}::uuid`

export const selectLineLease = (line: LineName, now: Date): Statement => sql`
  select line.lease from kit.lines as line
   where ${isIn(sql`line`, line)} and line.lease is not null and line.lease_ends > ${now}::timestamptz`

const isIn = (of: Statement, { queue, key }: LineName) => sql`
  ${of}.shard = ${shardOf(key)}::smallint and ${of}.queue = ${queue}::text and ${of}.key = ${key}::text`
