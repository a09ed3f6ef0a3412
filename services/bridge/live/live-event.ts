import type { Dependency } from '../breakers/breakers.ts'
import type { BreakerState } from '../breakers/circuit-breaker.ts'
import { durationMsOf, type Finished } from '../pipeline/finished.ts'
import type { ChannelId } from '../pipeline/channel.ts'
import type { ChannelStatus } from '../listeners/channel-control.ts'

/** One event of the stream. None holds anything that a message says of a patient. */
export type LiveEvent =
  | { readonly event: 'message'; readonly data: MessageEnd }
  | { readonly event: 'channel'; readonly data: { readonly channelId: ChannelId; readonly status: ChannelStatus } }
  | { readonly event: 'breaker'; readonly data: { readonly dependency: Dependency; readonly state: BreakerState } }
  | { readonly event: 'flow'; readonly data: FlowTick }

interface MessageEnd {
  readonly transactionId: string
  readonly channelId: ChannelId
  readonly messageType: string
  readonly sendingFacility: string
  readonly status: string
  readonly ackCode: string | null
  readonly errorCode: string | null
  readonly durationMs: number
  readonly attempt: number
}

interface FlowTick {
  readonly at: string
  /** Messages that ended since the last such event; `leftOut` of them were not told one by one. */
  readonly finished: number
  readonly leftOut: number
  readonly queueDepth: number
}

/** What is around the messages. */
export interface Surroundings {
  readonly channels: ReadonlyMap<ChannelId, ChannelStatus>
  readonly breakers: ReadonlyMap<Dependency, BreakerState>
  readonly queueDepth: number
}

export function messageEvent(finished: Finished): LiveEvent {
  const { transactionId, channelId, messageType, sendingFacility, ackCode, attempt, outcome } = finished
  const errorCode = 'errorCode' in outcome ? outcome.errorCode : null
  const data = {
    ...{ transactionId, channelId, messageType, sendingFacility, status: outcome.status },
    ...{ ackCode: ackCode ?? null, errorCode, durationMs: durationMsOf(finished), attempt },
  }
  return { event: 'message', data }
}

/** Whoever begins to watch is told of everything. */
export function changesBetween(before: Surroundings | undefined, after: Surroundings): LiveEvent[] {
  const channels = [...after.channels].filter(([id, status]) => before?.channels.get(id) !== status)
  const breakers = [...after.breakers].filter(([name, state]) => before?.breakers.get(name) !== state)
  return [
    ...channels.map(([channelId, status]): LiveEvent => ({ event: 'channel', data: { channelId, status } })),
    ...breakers.map(([dependency, state]): LiveEvent => ({ event: 'breaker', data: { dependency, state } })),
  ]
}
