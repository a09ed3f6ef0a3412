import type { Clock } from '../../../packages/clock/clock.ts'
import { pause } from '../../../packages/clock/pause.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { readIncoming } from '../pipeline/1-receive.ts'
import type { Channel, ChannelId } from '../pipeline/channel.ts'
import type { RetryAnswer, RetryBatchAnswer, Retries } from './retries.ts'
import { findTransaction } from '../store/transactions.ts'
import { reopen, type Stored } from './reopen.ts'
import type { RetryQueue } from './retry-queue.ts'

export interface RetryTransactionsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly queue: RetryQueue
  readonly channelOf: (id: ChannelId) => Channel
}

/** How long whoever asks for a retry waits for its end. */
const waitMs = 2_000
const lookMs = 50
const batchMax = 1_000

/** Failed messages, once more: from their bytes, under their own id, without the check for duplicates. */
export function retryTransactions(deps: RetryTransactionsDeps): Retries {
  const { database, queue } = deps
  return {
    async retry(transactionId, by) {
      const [answer = { is: 'unknown' }] = await retryEach([transactionId], ['ERROR'], by, deps)
      if (answer !== 'accepted') return answer
      queue.wake()
      return endOf(transactionId, deps)
    },
    async begin(transactionId, by) {
      const [answer] = await retryEach([transactionId], ['ERROR'], by, deps)
      if (answer === 'accepted') queue.wake()
      return answer === 'accepted'
    },
    async retryBatch({ facilityCode = null, errorCode = null }, by) {
      const failed = await database.many<{ id: string }>(sql`
        select id from bridge.transactions
        where status = 'ERROR' and (${facilityCode}::text is null or facility_code = ${facilityCode})
          and (${errorCode}::text is null or error_code = ${errorCode})
        order by id limit ${batchMax}`)
      return retryAll(
        failed.map(({ id }) => id),
        by,
        deps,
      )
    },
    async rerun(transactionIds, by) {
      const answers = await retryEach(transactionIds, ['ERROR', 'SUCCESS'], by, deps)
      queue.wake()
      return answers.filter((answer) => answer === 'accepted').length
    },
    drain: () => queue.drainNow(),
  }
}

async function retryAll(ids: readonly string[], by: string, deps: RetryTransactionsDeps): Promise<RetryBatchAnswer> {
  const answers = await retryEach(ids, ['ERROR'], by, deps)
  const transactionIds = ids.filter((_, index) => answers[index] === 'accepted')
  deps.queue.wake()
  const accepted = transactionIds.length
  return { matched: ids.length, accepted, skipped: ids.length - accepted, transactionIds }
}

type Refusal = Exclude<RetryAnswer, { readonly is: 'accepted' }>

/** So many are read at once: each may be as large as a frame. */
const readMax = 10

/** One after the other: the oldest message of a patient takes its ticket first. */
async function retryEach(
  ids: readonly string[],
  from: readonly string[],
  by: string,
  deps: RetryTransactionsDeps,
): Promise<('accepted' | Refusal)[]> {
  const answers: ('accepted' | Refusal)[] = []
  for (let first = 0; first < ids.length; first += readMax) {
    const next = ids.slice(first, first + readMax)
    const stored = await readStored(next, deps.database)
    for (const id of next) answers.push(await retryOne(id, stored.get(id), from, by, deps))
  }
  return answers
}

async function readStored(ids: readonly string[], database: Database): Promise<ReadonlyMap<string, Stored>> {
  const rows = await database.many<Stored & { readonly id: string }>(sql`
    select t.id, t.status, t.stage, t.attempts, t.channel_id as "channelId", m.raw, m.peer
    from bridge.all_transactions t left join bridge.raw_messages m on m.transaction_id = t.id
    where t.id = any(${ids}::text[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

async function retryOne(
  id: string,
  found: Stored | undefined,
  from: readonly string[],
  by: string,
  { database, clock, channelOf }: RetryTransactionsDeps,
): Promise<'accepted' | Refusal> {
  if (found === undefined) return { is: 'unknown' }
  const { status, stage, raw, peer, channelId } = found
  if (!from.includes(status)) return { is: 'not-failed', status }
  if (raw === null) return { is: 'pruned' }
  const channel = channelOf(channelId)
  // What came past RECEIVE was sent by whom it says; the certificate of its connection is not there to be asked again.
  const { certificates: _checked, ...unguarded } = channel
  const rules = stage === 'RECEIVE' ? channel : unguarded
  const read = readIncoming(raw, rules, { address: peer ?? '', port: 0, certificateName: undefined })
  const isOurs = await reopen(id, found, read, channel, { by, at: clock.now() }, database)
  return isOurs ? 'accepted' : { is: 'not-failed', status: 'PROCESSING' }
}

async function endOf(id: string, { database, clock }: RetryTransactionsDeps): Promise<RetryAnswer> {
  using deadline = clock.deadline(waitMs)
  for (;;) {
    const transaction = await findTransaction(id, database)
    if (transaction === undefined) return { is: 'unknown' }
    if (transaction.status !== 'PROCESSING' || deadline.signal.aborted) return { is: 'accepted', transaction }
    await pause(clock, lookMs, deadline.signal)
  }
}
