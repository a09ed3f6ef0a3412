import { channelChanges, channelCounts, type ChannelChange } from '../../listeners/channel-store.ts'
import type { ChannelRecord } from '../../listeners/channel-control.ts'
import type { ConsoleDeps } from '../deps.ts'
import { silentChannels } from './silence.ts'

/** A channel as an operator looks at it. */
export interface ChannelRow {
  readonly channel: ChannelRecord
  readonly framingErrors: number
  readonly isSilent: boolean
  /** Messages a minute over the last half hour. */
  readonly perMinute: readonly number[]
  readonly lastChange: Pick<ChannelChange, 'at' | 'by'> | undefined
}

export async function readChannels({
  channels,
  database,
  clock,
  figures,
}: Pick<ConsoleDeps, 'channels' | 'database' | 'clock' | 'figures'>): Promise<ChannelRow[]> {
  const now = clock.now()
  const [records, counts, changes, history] = await Promise.all([
    channels.list(),
    channelCounts(database),
    channelChanges(database),
    figures.history(),
  ])
  const known = records.map((record) => {
    const own = counts.get(record.id) ?? []
    return {
      ...record,
      since: own.reduce((first, { since }) => (since < first ? since : first), now),
      framingErrors: own.find(({ name }) => name === 'framingErrors')?.value ?? 0,
    }
  })
  const silent = await silentChannels(known, now, database)
  return known.map(({ framingErrors, since: _since, ...channel }) => ({
    ...{ channel, framingErrors },
    isSilent: silent.has(channel.id),
    perMinute: history.byChannel.get(channel.id) ?? [],
    lastChange: changes.get(channel.id),
  }))
}
