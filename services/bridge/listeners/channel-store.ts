import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { addCount, addCounts, type Counts } from '../durable/count-statements.ts'
import { idAt } from '../store/transaction-id.ts'
import type { ChannelId } from '../pipeline/channel.ts'

export type Wanted = 'RUNNING' | 'PAUSED'

export interface ChannelChange {
  readonly wanted: Wanted
  readonly at: Date
  readonly by: string | null
}

/** What the operator wants of each channel, since when and who that was; one that nobody ever paused is not in it. */
export async function channelChanges(on: Queryable): Promise<ReadonlyMap<ChannelId, ChannelChange>> {
  const rows = await on.many<ChannelChange & { id: ChannelId }>(
    sql`select channel_id as id, wanted, changed_at as at, changed_by as by from bridge.channels`,
  )
  return new Map(rows.map(({ id, ...change }) => [id, change]))
}

export async function setWanted(id: ChannelId, wanted: Wanted, by: string, now: Date, on: Queryable): Promise<void> {
  await on.run(sql`
    insert into bridge.channels (channel_id, wanted, changed_at, changed_by)
    values (${id}, ${wanted}, ${now}, ${by})
    on conflict (channel_id) do update set
      wanted = excluded.wanted, changed_at = excluded.changed_at, changed_by = excluded.changed_by`)
}

export interface ChannelCount {
  readonly name: string
  readonly value: number
  readonly since: Date
  readonly lastAt: Date
}

/** The counters of all copies and of all times, by channel. */
export async function channelCounts(on: Queryable): Promise<ReadonlyMap<ChannelId, readonly ChannelCount[]>> {
  const rows = await on.many<ChannelCount & { id: ChannelId }>(sql`
    select channel_id as id, name, sum(value)::float8 as value, min(since) as since, max(last_at) as "lastAt"
    from bridge.channel_counts group by channel_id, name`)
  return Map.groupBy(rows, ({ id }) => id)
}

/** Counts until they are written. What could not be written is written the next time. */
export class UnwrittenCounts {
  #counts: Counts = new Map()

  add(channel: ChannelId, name: string, value = 1): void {
    addCount(this.#counts, channel, name, value)
  }

  async flush(now: Date, on: Queryable): Promise<void> {
    const counts = this.#counts
    if (counts.size === 0) return
    this.#counts = new Map()
    try {
      await on.run(addCounts(counts, 0, now))
    } catch (thrown) {
      for (const [channel, own] of counts) for (const [name, value] of own) this.add(channel, name, value)
      throw thrown
    }
  }
}

export interface RecentFigures {
  readonly avg: number | null
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  readonly max: number | null
  readonly m1: number
  readonly m5: number
  readonly m15: number
}

/** How long the last messages took, and how many came in the last minutes. Ids begin with the time. */
export function recentFigures(id: ChannelId, now: Date, on: Queryable): Promise<RecentFigures> {
  const since = (minutes: number) => idAt(new Date(now.getTime() - minutes * 60_000))
  return on.one(sql`
    select d.*, r.* from
      (select avg(duration_ms)::float8 as avg, max(duration_ms)::float8 as max,
         percentile_cont(0.5) within group (order by duration_ms) as p50,
         percentile_cont(0.95) within group (order by duration_ms) as p95,
         percentile_cont(0.99) within group (order by duration_ms) as p99
       from (select duration_ms from bridge.transactions
             where channel_id = ${id} and duration_ms is not null and status <> 'DUPLICATE'
             order by id desc limit ${sampleMax}) as last) as d,
      (select count(*) filter (where id >= ${since(1)})::int as m1,
         count(*) filter (where id >= ${since(5)})::int as m5, count(*)::int as m15
       from bridge.transactions where channel_id = ${id} and id >= ${since(15)}) as r`)
}

const sampleMax = 1_000
