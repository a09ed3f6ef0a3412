import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { idAt } from './transaction-id.ts'
import type { ChannelId } from '../pipeline/channel.ts'

/** In how many of these spans of time each channel had a message; a channel that had none in any is not in it. */
export async function busySpans(
  spans: readonly { readonly from: Date; readonly to: Date }[],
  channels: readonly ChannelId[],
  on: Queryable,
): Promise<ReadonlyMap<ChannelId, number>> {
  const rows = await on.many<{ id: ChannelId; busy: number }>(sql`
    select c.id, count(*)::int as busy
    from unnest(${channels}::text[]) as c (id)
    cross join unnest(${spans.map(({ from }) => idAt(from))}::text[], ${spans.map(({ to }) => idAt(to))}::text[])
      as s (first, after)
    where exists (select 1 from bridge.transactions t
                  where t.channel_id = c.id and t.id >= s.first and t.id < s.after)
    group by c.id`)
  return new Map(rows.map(({ id, busy }) => [id, busy]))
}
