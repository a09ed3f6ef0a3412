import type { TransactionFilter, TransactionRow } from '../store/transactions.ts'

/** Messages that failed, or that nobody has worked on because another has their control id, once more. */
export interface Retries {
  /** Resolves when it is through, or after two seconds: then it goes on by itself. */
  retry(transactionId: string, by: string): Promise<RetryAnswer>
  /** Begins one and does not wait for its end. False where it did not fail any more, or cannot be run. */
  begin(transactionId: string, by: string): Promise<boolean>
  retryBatch(filter: RetryFilter, by: string): Promise<RetryBatchAnswer>
  /** Messages that succeeded, run again because something that they needed is known now. */
  rerun(transactionIds: readonly string[], by: string): Promise<number>
  /** Parked messages are tried now instead of at their time; how many there are. */
  drain(): Promise<number>
}

/** Which of the failed messages are meant. */
export type RetryFilter = Pick<
  TransactionFilter,
  'facilityCode' | 'errorCode' | 'from' | 'to' | 'messageType' | 'channelId'
>

export type RetryAnswer =
  | { readonly is: 'accepted'; readonly transaction: TransactionRow }
  | { readonly is: 'unknown' }
  | { readonly is: 'not-failed'; readonly status: string }
  | { readonly is: 'pruned' }
  /** Its frame was too large, and only its beginning was kept. */
  | { readonly is: 'cut' }

export interface RetryBatchAnswer {
  /** How many there are; one call takes some of them. */
  readonly matched: number
  readonly accepted: number
  /** Of those that were taken: past their retention, kept in part, or begun by somebody else. */
  readonly skipped: number
  readonly transactionIds: readonly string[]
}
