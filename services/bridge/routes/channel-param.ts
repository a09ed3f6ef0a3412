import { missing } from '../../../packages/faults/fault.ts'
import { text } from '../../../packages/http/fields.ts'
import { channelIds, type ChannelId } from '../pipeline/channel.ts'
import type { ChannelControl } from '../listeners/channel-control.ts'

export const channelParams = { channelId: text({ max: 20, description: '`adt`, `oru`, …, or its port' }) }

/** The channel that an address names. */
export function channelOf(name: string, channels: Pick<ChannelControl, 'atPort'>): ChannelId {
  const found = channelNamed(name, channels)
  if (found === undefined) {
    throw missing(`There is no channel ${JSON.stringify(name)}. The channels are ${channelIds.join(', ')}.`)
  }
  return found
}

/** Operators write a channel as they think of it: by its id, its port or its message type. */
export function channelNamed(name: string, channels: Pick<ChannelControl, 'atPort'>): ChannelId | undefined {
  const wanted = name.toLowerCase()
  const found = channelIds.find((id) => id === wanted || otherNames[wanted] === id)
  return found ?? (/^\d{1,5}$/.test(wanted) ? channels.atPort(Number(wanted)) : undefined)
}

const otherNames: Readonly<Record<string, ChannelId>> = { oml: 'orm', omg: 'orm', omi: 'orm', vxu: 'oru' }
