import type { Clock } from '../../../packages/clock/clock.ts'
import { tryParseMessage } from '../../../packages/hl7/index.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { FirstAnswer } from '../pipeline/7-ack.ts'
import type { UnderWay } from './under-way.ts'

export interface FirstAnswerDeps {
  readonly database: Database
  readonly clock: Clock
  readonly underWay: UnderWay
}

/**
 * What the first message of a control id was answered: by its end when this copy works on it, else by looking until it
 * has ended elsewhere. Whoever waits too long is told to come again.
 */
export async function firstAnswer(transactionId: string, waitMs: number, deps: FirstAnswerDeps): Promise<FirstAnswer> {
  const { database, clock, underWay } = deps
  using deadline = clock.deadline(waitMs)
  for (;;) {
    const end = underWay.endOf(transactionId)
    const found = await (end === undefined
      ? lookUp(transactionId, database)
      : Promise.race([end, ended(deadline.signal)]))
    if (found !== undefined) return found
    await clock.sleep(lookMs, deadline.signal).catch(() => {})
    if (deadline.signal.aborted) return { code: 'AE' }
  }
}

const lookMs = 100

/** AA is only for what was taken: done, or parked durably. A duplicate was told what the first one was told. */
async function lookUp(transactionId: string, database: Database): Promise<FirstAnswer | undefined> {
  const row = await database.maybe<EndRow>(sql`
    select t.status, t.ack_code as "ackCode", t.parent_transaction_id as parent, a.ack
    from bridge.transactions t left join bridge.answers a on a.transaction_id = t.id
    where t.id = ${transactionId}`)
  if (row === undefined) return undefined
  switch (row.status) {
    case 'SUCCESS':
    case 'QUEUED':
      return { code: 'AA', ...replyOf(row.ack) }
    case 'ERROR':
      return { code: row.ackCode?.endsWith('R') === true ? 'AR' : 'AE' }
    case 'DUPLICATE': {
      const of = row.parent ?? ''
      const first = await lookUp(of, database)
      return first && { of, ...first }
    }
    default:
      return undefined
  }
}

interface EndRow {
  readonly status: string
  readonly ackCode: string | null
  readonly parent: string | null
  readonly ack: Buffer | null
}

/** The stored answer where it was more than an ACK. */
function replyOf(ack: Buffer | null): { reply?: Uint8Array } {
  if (ack === null) return {}
  const type = tryParseMessage(ack).message?.getText('MSH-9.1')
  return type === undefined || type === 'ACK' ? {} : { reply: ack }
}

const ended = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
