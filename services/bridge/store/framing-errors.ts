import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { ChannelId } from '../pipeline/channel.ts'

/** Bytes that were no message: what was wrong with them, how many there were, and how they began. */
export interface FramingError {
  readonly id: string
  readonly channelId: ChannelId
  readonly at: Date
  readonly kind: 'noise' | 'resync' | 'oversize' | 'cut'
  /** The address that they came from. */
  readonly peer: string
  readonly length: number
  readonly head: Uint8Array
}

/** So many are kept of each channel: the last ones tell what goes on. */
export const framingErrorsMax = 20

export async function keepFramingErrors(errors: readonly FramingError[], on: Queryable): Promise<void> {
  if (errors.length === 0) return
  await on.run(sql`
    insert into bridge.framing_errors (id, channel_id, at, kind, peer, length, head)
    select * from unnest(${errors.map(({ id }) => id)}::uuid[], ${errors.map(({ channelId }) => channelId)}::text[],
      ${errors.map(({ at }) => at)}::timestamptz[], ${errors.map(({ kind }) => kind)}::text[],
      ${errors.map(({ peer }) => peer)}::text[], ${errors.map(({ length }) => length)}::bigint[],
      ${errors.map(({ head }) => head)}::bytea[])
    on conflict (id) do nothing`)
  await on.run(sql`
    delete from bridge.framing_errors where id in (
      select id from (
        select id, row_number() over (partition by channel_id order by at desc, id) as place
        from bridge.framing_errors) as every
      where place > ${framingErrorsMax})`)
}

/** What can be said of one without showing what was sent. */
export type FramingErrorFacts = Pick<FramingError, 'at' | 'kind' | 'peer' | 'length'>

export function framingErrorFactsOf(channelId: ChannelId, on: Queryable): Promise<FramingErrorFacts[]> {
  return on.many(sql`
    select at, kind, peer, length::float8 as length
    from bridge.framing_errors where channel_id = ${channelId} order by at desc, id limit ${framingErrorsMax}`)
}

/** The last ones of a channel, the newest first. */
export function framingErrorsOf(channelId: ChannelId, on: Queryable): Promise<FramingError[]> {
  return on.many(sql`
    select id, channel_id as "channelId", at, kind, peer, length::float8 as length, head
    from bridge.framing_errors where channel_id = ${channelId} order by at desc, id limit ${framingErrorsMax}`)
}
