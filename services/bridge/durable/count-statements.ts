import { kept, sql, type Statement } from '../../../packages/sql/sql.ts'
import { takenTypes } from '../mapping/taken-events.ts'
import type { ChannelId } from '../pipeline/channel.ts'
import { countShards } from '../store/count-shards.ts'
import type { Settling } from './settling.ts'

/** By channel and name, how much to add. */
export type Counts = Map<ChannelId, Map<string, number>>

/** What a batch adds to the counters of its channels. */
export function countsOf(items: readonly Settling[]): Counts {
  const counts: Counts = new Map()
  for (const item of items) {
    const { outcome, ackCode, messageType } = item.finished
    const add = (name: string, value = 1) => addCount(counts, item.channelId, name, value)
    if (item.isFirstEnd) {
      add('received')
      add('bytes', item.byteLength)
      add(triggerCounter(messageType))
    }
    if (ackCode !== undefined) add(`ack.${ackCode}`)
    if (outcome.status === 'SUCCESS') add('succeeded')
    if (outcome.status === 'DUPLICATE') add('duplicates')
    if (outcome.status === 'DUPLICATE' && outcome.hasOtherContent) add('contentMismatches')
    if (outcome.status === 'QUEUED' && item.work?.wasParked !== true) add('queued')
    if (outcome.status === 'ERROR') add('failed')
    // What its sender was told, which a later run does not change.
    if (outcome.status === 'ERROR' && outcome.code === 'AR' && item.isFirstEnd) add('rejected')
  }
  return counts
}

/** Senders write what they like into MSH-9, and a counter stays for ever: what is not taken has one for all of it. */
const triggerCounter = (messageType: string): string =>
  messageType === '' ? 'trigger.unreadable' : (triggerCounters.get(messageType) ?? 'trigger.other')

const triggerCounters: ReadonlyMap<string, string> = new Map(
  takenTypes.map((type) => [type, `trigger.${type.split('^')[1] ?? type}`]),
)

export function addCount(counts: Counts, channelId: ChannelId, name: string, value: number): void {
  const own = counts.get(channelId) ?? new Map<string, number>()
  own.set(name, (own.get(name) ?? 0) + value)
  counts.set(channelId, own)
}

/** Sorted, so that two writers take the rows' locks in the same order. */
export function addCounts(counts: Counts, shard: number, now: Date): Statement {
  const rows = [...counts]
    .flatMap(([channelId, own]) => [...own].map(([name, value]) => ({ channelId, name, value })))
    .sort((a, b) => (`${a.channelId} ${a.name}` < `${b.channelId} ${b.name}` ? -1 : 1))
  return kept(
    'bridge_add_counts',
    sql`
    insert into bridge.channel_counts as c (channel_id, name, shard, value, since, last_at)
    select m.channel_id, m.name, ${shard % countShards}::smallint, m.value, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${rows.map(({ channelId }) => channelId)}::text[], ${rows.map(({ name }) => name)}::text[],
      ${rows.map(({ value }) => value)}::bigint[]) as m (channel_id, name, value)
    on conflict (channel_id, name, shard) do update set
      value = c.value + excluded.value,
      last_at = excluded.last_at`,
  )
}
