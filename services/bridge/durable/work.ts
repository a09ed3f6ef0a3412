import type { Message } from '../../../packages/hl7/index.ts'
import type { Channel } from '../pipeline/channel.ts'
import type { Header } from '../pipeline/header.ts'
import type { Outcome } from '../pipeline/outcome.ts'
import type { Received } from '../pipeline/received.ts'
import type { Duplicate, Finished } from '../pipeline/finished.ts'
import type { Place } from './lane-place.ts'

/** What is known of a message from the moment it was read. */
export interface MessageFacts {
  readonly transactionId: string
  readonly channel: Channel
  readonly header: Header
  readonly facility: string
  readonly patientKeys: readonly string[]
  readonly byteLength: number
  readonly peer: string
  /** The common name in the certificate that the sender showed, as the database can hold it. */
  readonly certificateName?: string | undefined
  readonly receivedAt: Date
}

/**
 * The warning on every message of a batch that counts others than there are (BTS-1, FTS-1), or has lines that belong to none: one may
 * have been lost, and nobody else can say so.
 */
export const batchDiffers = 'batch-differs'

/** A journaled message that this copy works on: just received, or taken from the retry queue. */
export interface Work extends MessageFacts {
  readonly message: Message
  readonly key: Buffer
  readonly copy: string
  readonly places: readonly Place[]
  readonly parent: string | undefined
  readonly attempt: number
  readonly attemptLimit: number
  readonly run: number
  readonly wasParked: boolean
  readonly wasEnded: boolean
  /** It succeeded in an earlier run. */
  readonly hasSucceeded: boolean
  readonly isFirstEnd: boolean
  /** Its sender was told AA or CA, or wants to hear of no failure, and will not send it again. */
  readonly isAcknowledged: boolean
  /** It came in a batch that does not hold what it says (`batchDiffers`). */
  readonly isOfDifferingBatch?: boolean
  readonly foreseen?: Received['foreseen']
}

export interface End {
  readonly at: Date
  readonly attempt: number
  readonly ackCode: string | undefined
  readonly outcome: Outcome | Duplicate
}

export function finishedOf({ transactionId, channel, header, peer, receivedAt }: MessageFacts, end: End): Finished {
  return {
    ...{ transactionId, channelId: channel.id, ...header, peer, receivedAt },
    ...{ finishedAt: end.at, attempt: end.attempt, ackCode: end.ackCode, outcome: end.outcome },
  }
}
