import type { ChannelId } from '../pipeline/channel.ts'
import type { Finished } from '../pipeline/finished.ts'
import type { Place } from './lane-place.ts'

/** A message on its way into the second durable point. */
export interface Settling {
  readonly finished: Finished
  readonly channelId: ChannelId
  /** MSH-4, or who the channel stands for; the outcome's own word wins. */
  readonly facility: string
  readonly patientKeys: readonly string[]
  readonly byteLength: number
  readonly parent: string | undefined
  /** The answer's bytes, when it has one. */
  readonly ack: Uint8Array | undefined
  /** What was journaled and must be let go. Refusals and duplicates were not. */
  readonly work: SettledWork | undefined
  /** The bytes of a message that was not journaled; a duplicate with the same content needs none. */
  readonly raw: Uint8Array | undefined
  /** Who its sender was by the certificate of the connection, kept beside those bytes. */
  readonly certificateName?: string | undefined
  /** The log has no row of it yet: it counts as received. */
  readonly isFirstEnd: boolean
}

export interface SettledWork {
  readonly copy: string
  readonly places: readonly Place[]
  /** By which duplicates are known. */
  readonly key: Buffer
  /** Which run this was, recoveries and runs without a call included. */
  readonly run: number
  /** Whoever sends it again is answered anew, also after a run that has helped it through: what is stored is its refusal. */
  readonly staysRefused?: boolean
  /** It came from the retry queue: others may be parked behind it. */
  readonly wasParked: boolean
  /** It goes on waiting: when and as which attempt it is tried next. */
  readonly park: { readonly dueAt: Date; readonly attempt: number } | undefined
}
