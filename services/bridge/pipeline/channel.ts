import type { CharsetOptions, Zone } from '../../../packages/hl7/index.ts'
import type { MappingSettings } from '../mapping/context.ts'

export const channelIds = ['adt', 'oru', 'orm', 'mdm', 'qbp', 'rde', 'siu', 'mfn'] as const

export type ChannelId = (typeof channelIds)[number]

/** What the stages need to know of the listener that a message came in by. */
export interface Channel {
  readonly id: ChannelId
  /** MSH-9.1 of the messages that it takes; the first is its name in the channel record. */
  readonly messageTypes: readonly string[]
  /** MSH-11 that it takes: `P`, and `T` or `D` where allowed. */
  readonly processingIds: readonly string[]
  /** MSH-12 outside 2.1 to 2.9 is refused. */
  readonly strictVersion: boolean
  /** Who is meant when MSH-4 is empty. */
  readonly defaultFacility: string | undefined
  /** For times without offset, where neither the registry knows the facility's zone nor MSH-7 has an offset. */
  readonly zone: Zone
  readonly mapping: MappingSettings
  /** In which character set messages are read that do not say it, or all of them. */
  readonly charset?: CharsetOptions
  readonly ackMode: AckMode
  /** Whose messages a client certificate may bring, by its common name: the codes in MSH-4. All of them when not given. */
  readonly certificates?: ReadonlyMap<string, ReadonlySet<string>>
  readonly retry: RetryRule
}

/** The rules for what came past RECEIVE: it was sent by whom it says, and the certificate is not there to be asked again. */
export function withoutCertificates({ certificates: _checked, ...channel }: Channel): Channel {
  return channel
}

/**
 * `original`: one answer when the message is through, unless it asks for enhanced mode itself (MSH-15, MSH-16).
 * `enhanced`: an accept answer when it is journaled, then the other. `immediate`: AA when it is journaled, and no more;
 * queries and master files as with `original`.
 */
export const ackModes = ['original', 'enhanced', 'immediate'] as const

export type AckMode = (typeof ackModes)[number]

/** How often and how fast a parked message is tried again: `baseMs * multiplier^(n-1)`, at most `maxMs`, ±20 %. */
export interface RetryRule {
  readonly maxAttempts: number
  readonly baseMs: number
  readonly maxMs: number
  readonly multiplier: number
}
