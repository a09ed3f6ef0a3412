import type { Clock } from '../../../packages/clock/clock.ts'
import { pause } from '../../../packages/clock/pause.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { joined, sql, type Statement } from '../../../packages/sql/sql.ts'
import { readIncoming } from '../pipeline/1-receive.ts'
import { withoutCertificates, type Channel, type ChannelId } from '../pipeline/channel.ts'
import type { RetryAnswer, RetryBatchAnswer, RetryFilter, Retries } from './retries.ts'
import { firstToRun } from '../store/dead-letters.ts'
import { isToBeRun, tooLargeCode } from '../store/to-be-run.ts'
import { conditionsOf, findTransaction } from '../store/transactions.ts'
import { reopen, type Asked, type Stored } from './reopen.ts'
import type { RetryQueue } from './retry-queue.ts'

export interface RetryTransactionsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly queue: RetryQueue
  readonly channelOf: (id: ChannelId) => Channel
  /** How many messages one call for all of them takes. */
  readonly batchMax?: number
}

/** How long whoever asks for a retry waits for its end. */
const waitMs = 2_000
const lookMs = 50

/** Failed messages, once more: from their bytes, under their own id, without the check for duplicates. */
export function retryTransactions(deps: RetryTransactionsDeps): Retries {
  const { queue } = deps
  return {
    async retry(transactionId, by) {
      const [answer = { is: 'unknown' }] = await retryEach([transactionId], canRun, { by, isUrgent: true }, deps)
      if (answer !== 'accepted') return answer
      queue.wake()
      return endOf(transactionId, deps)
    },
    async begin(transactionId, by) {
      const [answer] = await retryEach([transactionId], canRun, { by, isUrgent: false }, deps)
      if (answer === 'accepted') queue.wake()
      return answer === 'accepted'
    },
    async retryBatch(filter, by) {
      const failed = await failedLike(filter, deps)
      const ids = failed.map(({ id }) => id).toSorted()
      return { matched: failed[0]?.matched ?? 0, ...(await retryAll(ids, by, deps)) }
    },
    async rerun(transactionIds, by) {
      const answers = await retryEach(transactionIds, hasBrought, { by, isUrgent: false }, deps)
      queue.wake()
      return answers.filter((answer) => answer === 'accepted').length
    },
    drain: () => queue.drainNow(),
  }
}

function failedLike(
  filter: RetryFilter,
  { database, batchMax = 1_000 }: RetryTransactionsDeps,
): Promise<{ id: string; matched: number }[]> {
  const isMeant = isLike(filter)
  return database.many(sql`
    select id, (select count(*)::int from bridge.transactions t where ${isMeant}) as matched
    from (${firstToRun(isMeant, batchMax)}) as first`)
}

const isLike = (filter: RetryFilter): Statement => joined(conditionsOf({ ...filter, isDead: true }), 'and')

async function retryAll(
  ids: readonly string[],
  by: string,
  deps: RetryTransactionsDeps,
): Promise<Omit<RetryBatchAnswer, 'matched'>> {
  const answers = await retryEach(ids, canRun, { by, isUrgent: false }, deps)
  const transactionIds = ids.filter((_, index) => answers[index] === 'accepted')
  deps.queue.wake()
  const accepted = transactionIds.length
  return { accepted, skipped: ids.length - accepted, transactionIds }
}

const canRun = ({ status, hasOtherContent }: Stored): boolean => isToBeRun(status, hasOtherContent)

const hasBrought = ({ status }: Stored): boolean => status === 'ERROR' || status === 'SUCCESS'

type Refusal = Exclude<RetryAnswer, { readonly is: 'accepted' }>

/** So many are read at once: each may be as large as a frame. */
const readMax = 10

/** One after the other: the oldest message of a patient takes its ticket first. */
async function retryEach(
  ids: readonly string[],
  isMeant: (stored: Stored) => boolean,
  asked: Omit<Asked, 'at'>,
  deps: RetryTransactionsDeps,
): Promise<('accepted' | Refusal)[]> {
  const answers: ('accepted' | Refusal)[] = []
  for (let first = 0; first < ids.length; first += readMax) {
    const next = ids.slice(first, first + readMax)
    const stored = await readStored(next, deps.database)
    for (const id of next) answers.push(await retryOne(id, stored.get(id), isMeant, asked, deps))
  }
  return answers
}

async function readStored(ids: readonly string[], database: Database): Promise<ReadonlyMap<string, Stored>> {
  const rows = await database.many<Stored & { readonly id: string }>(sql`
    select t.id, t.status, t.stage, t.attempts, t.channel_id as "channelId", t.content_mismatch as "hasOtherContent",
      t.error_code as "errorCode", m.raw, m.peer,
      m.certificate_name as "certificateName"
    from bridge.all_transactions t left join bridge.raw_messages m on m.transaction_id = t.id
    where t.id = any(${ids}::text[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

async function retryOne(
  id: string,
  found: Stored | undefined,
  isMeant: (stored: Stored) => boolean,
  asked: Omit<Asked, 'at'>,
  { database, clock, channelOf }: RetryTransactionsDeps,
): Promise<'accepted' | Refusal> {
  if (found === undefined) return { is: 'unknown' }
  const { status, stage, raw, peer, certificateName, channelId } = found
  if (!isMeant(found)) return { is: 'not-failed', status }
  if (raw === null) return { is: 'pruned' }
  if (found.errorCode === tooLargeCode) return { is: 'cut' }
  const channel = channelOf(channelId)
  const rules = stage === 'RECEIVE' ? channel : withoutCertificates(channel)
  const read = readIncoming(raw, rules, {
    ...{ address: peer ?? '', port: 0, certificateName: certificateName ?? undefined },
  })
  const isOurs = await reopen({ id, found, read, channel }, { ...asked, at: clock.now() }, database)
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
