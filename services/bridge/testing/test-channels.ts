import { makeZone } from '../../../packages/hl7/index.ts'
import { messageTypesOf } from '../listeners/message-types.ts'
import type { Channel, ChannelId } from '../pipeline/channel.ts'

/** A channel as it is without any configuration. */
export const testChannel = (id: ChannelId, changes: Partial<Channel> = {}): Channel => ({
  id,
  messageTypes: messageTypesOf[id],
  processingIds: ['P'],
  strictVersion: false,
  defaultFacility: undefined,
  zone: makeZone('UTC'),
  mapping: {},
  ackMode: 'original',
  retry: { maxAttempts: 10, baseMs: 1_000, maxMs: 300_000, multiplier: 2 },
  ...changes,
})
