import type { Statement } from '../../../packages/sql/sql.ts'
import type { ChannelId } from './channel.ts'
import type { Outcome } from './outcome.ts'

/** A message that is through, with its answer, on its way into the second durable point. */
export interface Finished {
  readonly transactionId: string
  readonly channelId: ChannelId
  /** `ADT^A01`; empty for what could not be read. */
  readonly messageType: string
  readonly controlId: string
  readonly sendingApplication: string
  readonly sendingFacility: string
  readonly receivingApplication: string
  readonly receivingFacility: string
  /** EVN-5, when a person is named. */
  readonly operator: string | undefined
  /** QPD of a query, as far as the audit tells of it. */
  readonly query?: string
  /** The sender's address. */
  readonly peer: string
  readonly receivedAt: Date
  readonly finishedAt: Date
  readonly attempt: number
  /** The answer as it was sent, MSA-1; undefined when the sender wants none. */
  readonly ackCode: string | undefined
  /** `DUPLICATE` ones were not worked on: `of` is the transaction that was. */
  readonly outcome: Outcome | Duplicate
}

export interface Duplicate {
  readonly status: 'DUPLICATE'
  readonly of: string
  readonly hasOtherContent: boolean
}

/**
 * What must become durable together with the end of a message: deliveries, audit records. Each part gives one statement
 * for all the messages of a group commit, or none.
 */
export interface FinishPart {
  statement(finished: readonly Finished[]): Statement | undefined
  /** Called after the COMMIT: wakes whoever works on what was written. */
  committed(finished: readonly Finished[]): void
}
