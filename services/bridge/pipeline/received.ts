import type { Message } from '../../../packages/hl7/index.ts'
import type { Enriched } from './enriched.ts'
import type { Channel } from './channel.ts'
import type { LaterStage } from './stage.ts'
import type { Stop } from './stop.ts'

/** What RECEIVE hands on: a readable message whose bytes lie in the journal, and whose turn it is for its patient. */
export interface Received {
  readonly transactionId: string
  readonly channel: Channel
  readonly message: Message
  readonly receivedAt: Date
  /** 1 when it comes in; counts on with each retry that really called somebody. */
  readonly attempt: number
  /** 1 when it comes in; counts on whenever somebody begins with it again, also after a crash. */
  readonly run: number
  /** It repeats a message that was refused: what that one had stored all the same, nobody has been told of. */
  readonly wasRefused: boolean
  /** It was through once, and an operator has asked for it again: later messages were through before it. */
  readonly wasEnded: boolean
  /** Ends when nobody may work on the message any more: its time is over, or this copy stops. */
  readonly signal: AbortSignal
  /** Throws when others may have taken the message over, also where the signal has not been served yet. */
  readonly checkHeld: () => void
  /** Told of each stage before it begins: whoever stops waiting says where the message stood. */
  readonly enters?: (stage: LaterStage) => void
  /** What ENRICH has found out while the message was journaled, when nobody can have changed any of it since. */
  readonly foreseen?: Promise<Enriched | Stop> | undefined
}
