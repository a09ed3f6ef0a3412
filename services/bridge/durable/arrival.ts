import type { Peer } from '../../../packages/hl7/index.ts'
import type { Readable } from '../pipeline/1-receive.ts'
import type { AnswerPlan } from '../pipeline/7-ack.ts'
import type { Channel } from '../pipeline/channel.ts'
import type { MessageFacts } from './work.ts'

/** What came in by a connection, and the way back. */
export interface Incoming {
  readonly bytes: Uint8Array
  /** The bytes are only the beginning of a message whose frame was too large, and `length` is what had come of it. */
  readonly tooLarge?: { readonly length: number; readonly frameBytesMax: number }
  readonly channel: Channel
  readonly peer: Peer
  /** It came in a batch that does not hold what it says (`batchDiffers`). */
  readonly isOfDifferingBatch?: boolean
  /** Sends an answer at once; resolves when it has left. */
  readonly send: (answer: Uint8Array) => Promise<void>
  /** Told when the message is journaled: whatever fails from then on, its sender must not hear that it is not safe. */
  readonly markAccepted: () => void
  /**
   * Resolves when the next message of this frame may pass; with false when none may any more, because its channel closes.
   * The turn of the first has come.
   */
  readonly turn?: () => Promise<boolean>
}

/** A message that can be read, and what its sender is to be told. */
export interface Arrival {
  readonly read: Readable
  readonly facts: MessageFacts
  readonly plan: AnswerPlan
  /** That it is safe, where the sender wants to hear of it before the end. */
  readonly accept: Uint8Array | undefined
  readonly incoming: Incoming
}
