import type { Clock } from '../../../packages/clock/clock.ts'
import { pause } from '../../../packages/clock/pause.ts'
import { readIssues, tryParseMessage, type Issue } from '../../../packages/hl7/index.ts'
import { stillUnderWay, type FirstAnswer } from '../pipeline/7-ack.ts'
import type { DurableStore } from './durable-store.ts'
import type { UnderWay } from './under-way.ts'

export interface FirstAnswerDeps {
  readonly durable: DurableStore
  readonly clock: Clock
  readonly underWay: UnderWay
}

/**
 * What the first message of a control id was answered: by its end when this copy works on it, else by looking until it
 * has ended elsewhere. Whoever waits too long is told to come again.
 */
export async function firstAnswer(transactionId: string, waitMs: number, deps: FirstAnswerDeps): Promise<FirstAnswer> {
  const { durable, clock, underWay } = deps
  using deadline = clock.deadline(waitMs)
  for (;;) {
    const end = underWay.endOf(transactionId)
    // Of one that is new nothing is written yet. One that is run again may have been answered long ago.
    const told = underWay.isNew(transactionId) ? undefined : await lookUp(transactionId, durable)
    const found = told ?? (end && (await Promise.race([end, ended(deadline.signal)])))
    if (found !== undefined) return found
    await pause(clock, lookMs, deadline.signal)
    if (deadline.signal.aborted) return { code: 'AE', issues: [stillUnderWay] }
  }
}

const lookMs = 100

/**
 * AA is only for what was taken: done, or parked durably, also before an operator wanted it once more: its end may be far
 * away, and is not what its sender asks for. A duplicate was told what the first one was told.
 */
async function lookUp(transactionId: string, durable: DurableStore): Promise<FirstAnswer | undefined> {
  const row = await durable.endOf(transactionId)
  if (row === undefined) return undefined
  switch (row.status) {
    case 'SUCCESS':
    case 'QUEUED':
      return { code: 'AA', ...replyOf(row.ack) }
    case 'ERROR':
      return {
        code: row.ackCode?.endsWith('R') === true ? 'AR' : 'AE',
        issues: reasonsOf(row.ack),
        ...replyOf(row.ack),
      }
    case 'DUPLICATE': {
      const of = row.parent ?? ''
      const first = await lookUp(of, durable)
      return first && { of, ...first }
    }
    default:
      return row.wasAccepted ? { code: 'AA', ...replyOf(row.ack) } : undefined
  }
}

/** The stored answer where it was more than an ACK. */
function replyOf(ack: Buffer | null): { reply?: Uint8Array } {
  if (ack === null) return {}
  const type = tryParseMessage(ack).message?.getText('MSH-9.1')
  return type === undefined || type === 'ACK' ? {} : { reply: ack }
}

/** What the first one was told is wrong with it. */
function reasonsOf(ack: Buffer | null): readonly Issue[] {
  const answer = ack === null ? undefined : tryParseMessage(ack).message
  return answer === undefined ? [] : readIssues(answer)
}

/** It may have ended while the log was being read. */
const ended = (signal: AbortSignal): Promise<undefined> =>
  signal.aborted
    ? Promise.resolve(undefined)
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
