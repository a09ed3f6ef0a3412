import { missing } from '../../../packages/faults/fault.ts'
import { text } from '../../../packages/http/fields.ts'
import { channelIds, type ChannelId } from '../pipeline/channel.ts'

export const channelParams = { channelId: text({ max: 20, description: '`adt`, `oru`, …' }) }

/** Operators write a channel as they think of it: by its id or by its message type. */
export function channelOf(name: string): ChannelId {
  const wanted = name.toLowerCase()
  const found = channelIds.find((id) => id === wanted || otherNames[wanted] === id)
  if (found === undefined) {
    throw missing(`There is no channel ${JSON.stringify(name)}. The channels are ${channelIds.join(', ')}.`)
  }
  return found
}

const otherNames: Readonly<Record<string, ChannelId>> = { oml: 'orm', omg: 'orm', omi: 'orm', vxu: 'oru' }
