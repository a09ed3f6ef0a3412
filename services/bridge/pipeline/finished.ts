import type { Statement } from '../../../packages/sql/sql.ts'
import type { ChannelId } from './channel.ts'
import type { Header } from './header.ts'
import type { Outcome } from './outcome.ts'

/** A message that is through, with its answer, on its way into the second durable point. */
export interface Finished extends Header {
  readonly transactionId: string
  readonly channelId: ChannelId
  /** The sender's address. */
  readonly peer: string
  readonly receivedAt: Date
  readonly finishedAt: Date
  readonly attempt: number
  /** It was through before, and somebody had it run again. */
  readonly isRerun?: true
  /** MSA-1 of its answer, sent or kept until its sender comes again; undefined when the sender wants none. */
  readonly ackCode: string | undefined
  /** `DUPLICATE` ones were not worked on: `of` is the transaction that was. */
  readonly outcome: Outcome | Duplicate
}

/**
 * From its receipt to its end. A message that is run again after months is still told as one that fits the log's column,
 * 24.8 days: its two instants tell the rest.
 */
export const durationMsOf = ({ receivedAt, finishedAt }: Pick<Finished, 'receivedAt' | 'finishedAt'>): number =>
  Math.min(Math.max(0, finishedAt.getTime() - receivedAt.getTime()), 2 ** 31 - 1)

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
