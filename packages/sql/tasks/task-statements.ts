import { hasKey } from '../has-key.ts'
import { json, kept, sql, type Statement } from '../sql.ts'
import { shardOf, type NewTask } from './task.ts'

/** One task table: `name` begins the names under which the plans of its statements are kept. */
export interface TaskTableName {
  readonly name: string
  readonly table: Statement
}

export const taskTables = {
  outbox: { name: 'kit_outbox', table: sql`kit.outbox` },
  jobs: { name: 'kit_jobs', table: sql`kit.jobs` },
} as const satisfies Record<string, TaskTableName>

/**
 * A task's position is one more than the greatest of its queue and key: whoever adds after another's commit comes after
 * it, on whatever copy, without a sequence and without trust in clocks. In a line that is worked on as a whole it is also
 * greater than that of every task that was removed, so that what they leave behind in the index is not looked at.
 */
export const insertTasks = (table: TaskTableName, tasks: readonly PlacedTask[], now: Date): Statement =>
  kept(`${table.name}_insert`, insertTasksWhere(table, tasks, sql`true`, now))

type PlacedTask = NewTask & { readonly shard: number; readonly id: string }

/** The same for those of which it holds, not kept: it may be a part of another statement. @param isMeant of a row `new` */
export function insertTasksWhere(
  { table }: TaskTableName,
  tasks: readonly PlacedTask[],
  isMeant: Statement,
  now: Date,
): Statement {
  return sql`
    insert into ${table} (shard, id, queue, key, position, waits, payload, next_at, created_at)
    select new.shard, new.id, new.queue, new.key, coalesce(old.position, line.position, 0) + new.number,
           new.key is not null and (old.position is not null
             or row_number() over (partition by new.queue, new.key order by new.number) > 1),
           new.payload, new.next_at, ${now}::timestamptz
      from rows from (unnest(${tasks.map(({ shard }) => shard)}::smallint[]), unnest(${tasks.map(({ id }) => id)}::uuid[]),
             unnest(${tasks.map(({ queue }) => queue)}::text[]), unnest(${tasks.map(({ key }) => key ?? null)}::text[]),
             unnest(${payloadsOf(tasks)}::json[]),
             unnest(${tasks.map(({ notBefore }) => notBefore ?? now)}::timestamptz[]))
           with ordinality as new (shard, id, queue, key, payload, next_at, number)
      left join kit.lines as line on line.shard = new.shard and line.queue = new.queue and line.key = new.key
      cross join lateral ${lastPosition(table, sql`new`, sql`coalesce(line.position, -1)`)} as old
     where ${isMeant}`
}

/** Several topics may be told the same; it is written out once. */
function payloadsOf(tasks: readonly NewTask[]): string[] {
  const texts = new Map<unknown, string>()
  for (const { payload } of tasks) if (!texts.has(payload)) texts.set(payload, json(payload))
  return tasks.map(({ payload }) => texts.get(payload) ?? '')
}

export interface ClaimOptions {
  readonly queues: readonly string[]
  readonly limit: number
  readonly leaseMs: number
  /** Only these shards; all if not given. */
  readonly shards?: readonly number[]
}

/**
 * Takes tasks that are due; of one queue and key only the first. What was begun stays the first of its key (position
 * 0), also before one that was added earlier and committed later. A subquery with a limit finds the first, because the
 * planner would turn `not exists` into a join that is quadratic in the length of a key's line.
 */
export function claimTasks({ name, table }: TaskTableName, options: ClaimOptions, lease: string, now: Date): Statement {
  const inShards = options.shards === undefined ? sql`` : sql`and task.shard = any(${options.shards}::smallint[])`
  return kept(
    `${name}_claim${options.shards === undefined ? '' : '_shards'}`,
    sql`
    with due as (
      select picked.shard, picked.id
        from unnest(${options.queues}::text[]) as wanted (queue)
        cross join lateral (
          select task.shard, task.id
            from ${table} as task
           where task.queue = wanted.queue and task.dead_at is null and not task.waits
             and ${isDue(now)} ${inShards}
             and (task.key is null or task.id = (${firstOfKey(table, sql`task`)}))
           order by task.next_at
           limit ${options.limit}
             for update skip locked) as picked
       limit ${options.limit})
    update ${table} as task
       set attempts = task.attempts + 1, next_at = ${leaseEnd(options.leaseMs)}, lease = ${lease}::uuid, position = 0
      from due
     where ${hasKey(sql`task.shard, task.id`, sql`due.shard, due.id`)}
    returning task.shard, task.id, task.queue, task.key, task.payload, task.attempts as attempt, task.lease,
              task.created_at as "createdAt"`,
  )
}

/**
 * What waits is due by our clock. A lease ends by the database's: between copies of which the clocks are apart, one would take
 * what the other is doing, and a receiver could get an older version behind a newer one. The first bound is what the index goes by.
 */
const isDue = (now: Date): Statement => sql`
  task.next_at <= greatest(${now}::timestamptz, statement_timestamp())
  and task.next_at <= case when task.lease is null then ${now}::timestamptz else statement_timestamp() end`

export const leaseEnd = (leaseMs: number): Statement =>
  sql`statement_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'`

/** The leases that have not ended. */
export const selectLeases = ({ table }: TaskTableName, queues: readonly string[]): Statement => sql`
  select distinct lease from ${table}
   where queue = any(${queues}::text[]) and dead_at is null and not waits and next_at > statement_timestamp()
     and lease is not null`

export const endLeases = (
  { table }: TaskTableName,
  queues: readonly string[],
  leases: readonly string[],
  now: Date,
): Statement => sql`
  update ${table} set lease = null, next_at = ${now}::timestamptz
   where queue = any(${queues}::text[]) and dead_at is null and not waits and next_at > statement_timestamp()
     and lease = any(${leases}::uuid[])`

/**
 * Dead tasks go to the end of their keys' lines, because others may be under way; those of one key in the order in which they
 * died. They wait from now on: how long they waited before they were given up must not have them given up again at once.
 */
export function reviveTasks({ table }: TaskTableName, queue: string, ids: readonly string[], now: Date): Statement {
  return sql`
    update ${table} as task
       set dead_at = null, attempts = 0, next_at = ${now}, created_at = ${now}, position = coalesce(last.position, 0) + dead.number,
           waits = task.key is not null and (last.position is not null or dead.number > 1)
      from (select shard, id, queue, key, row_number() over (partition by shard, key order by dead_at, id) as number
              from ${table} where queue = ${queue} and id = any(${ids}::uuid[]) and dead_at is not null) as dead
           cross join lateral ${lastPosition(table, sql`dead`)} as last
     where task.shard = dead.shard and task.id = dead.id`
}

/**
 * A task that was added while the last one of its key was being completed can be left waiting for nobody. This looks at
 * each key that has waiting tasks once (not at each task) and lets those first ones go.
 */
export function letStrandedGo({ table }: TaskTableName): Statement {
  return sql`
    with recursive line (shard, queue, key) as (
      (select shard, queue, key from ${table} where dead_at is null and waits order by shard, queue, key limit 1)
      union all
      select next.shard, next.queue, next.key
        from line cross join lateral (
          select task.shard, task.queue, task.key from ${table} as task
           where task.dead_at is null and task.waits
             and (task.shard, task.queue, task.key) > (line.shard, line.queue, line.key)
           order by task.shard, task.queue, task.key limit 1) as next)
    update ${table} as task set waits = false
      from line
     where task.shard = line.shard and task.waits and task.id = (${firstOfKey(table, sql`line`)})`
}

const firstOfKey = (table: Statement, of: Statement) => sql`
  select first.id from ${table} as first
   where first.shard = ${of}.shard and first.queue = ${of}.queue and first.key = ${of}.key and first.dead_at is null
   order by first.position, first.id limit 1`

const lastPosition = (table: Statement, of: Statement, behind = sql`-1`) => sql`
  (select max(old.position) as position from ${table} as old
    where old.shard = ${of}.shard and old.queue = ${of}.queue and old.key = ${of}.key and old.dead_at is null
      and old.position > ${behind})`

/** Those of the given keys that have a task which is not dead. */
export function selectOpenKeys({ name, table }: TaskTableName, queue: string, keys: readonly string[]): Statement {
  return kept(
    `${name}_open_keys`,
    sql`
    select sought.key
      from unnest(${keys.map(shardOf)}::smallint[], ${keys}::text[]) as sought (shard, key)
      cross join lateral (
        select from ${table} as task
         where task.shard = sought.shard and task.queue = ${queue}::text and task.key = sought.key
           and task.dead_at is null
         limit 1) as open`,
  )
}
