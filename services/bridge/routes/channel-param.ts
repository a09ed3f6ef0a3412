import { invalid, missing } from '../../../packages/faults/fault.ts'
import { text } from '../../../packages/http/fields.ts'
import { channelIds, type ChannelId } from '../pipeline/channel.ts'
import type { ChannelControl } from '../listeners/channel-control.ts'

export const channelParams = { channelId: text({ max: 20, description: '`adt`, `oru`, …, or its port' }) }

/** What narrows a list of messages by where they came and what they are. */
export const channelField = text({ max: 20, optional: true, description: 'A channel’s id, port or message type.' })
export const typeField = text({ max: 20, optional: true, description: '`ADT^A01`, or `ADT` for all its events.' })

/** The channel that an address names. */
export function channelOf(name: string, channels: Pick<ChannelControl, 'atPort'>): ChannelId {
  const found = channelNamed(name, channels)
  if (found === undefined) {
    throw missing(`There is no channel ${JSON.stringify(name)}. The channels are ${channelIds.join(', ')}.`)
  }
  return found
}

/** The channel that a list is narrowed by. */
export function filteredChannel(
  name: string | undefined,
  channels: Pick<ChannelControl, 'atPort'>,
): { readonly channelId?: ChannelId } {
  if (name === undefined) return {}
  const found = channelNamed(name, channels)
  if (found !== undefined) return { channelId: found }
  throw invalid({ path: 'channelId', message: `must be one of ${channelIds.join(', ')}, or a port` })
}

/** Operators write a channel as they think of it: by its id, its port or its message type. */
function channelNamed(name: string, channels: Pick<ChannelControl, 'atPort'>): ChannelId | undefined {
  const wanted = name.toLowerCase()
  const found = channelIds.find((id) => id === wanted || otherNames[wanted] === id)
  return found ?? (/^\d{1,5}$/.test(wanted) ? channels.atPort(Number(wanted)) : undefined)
}

const otherNames: Readonly<Record<string, ChannelId>> = { oml: 'orm', omg: 'orm', omi: 'orm', vxu: 'oru' }
