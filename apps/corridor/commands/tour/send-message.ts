import type { Clock } from '../../../../packages/clock/clock.ts'
import { faultOf, unavailable } from '../../../../packages/faults/fault.ts'
import { connectMllp, readAcknowledgement, tryParseMessage } from '../../../../packages/hl7/index.ts'
import type { Configuration } from '../../configuration.ts'
import type { CorridorApi } from './corridor-api.ts'
import type { TourMessage } from './tour-messages.ts'
import type { Delivery, Transaction } from './transaction.ts'

/** What became of a message: what its sender was told, and what the bridge has written down. */
export interface Passage {
  readonly ackCode: string
  readonly ackText: string | undefined
  /** From the first byte sent to the answer, as the sender sees it. */
  readonly roundTripMs: number
  readonly transaction: Transaction
  readonly deliveries: readonly Delivery[]
}

interface PassageDeps {
  readonly admin: CorridorApi
  readonly configuration: Configuration
  readonly clock: Clock
  readonly stop: AbortSignal
}

export async function sendMessage(message: TourMessage, deps: PassageDeps): Promise<Passage> {
  const startedMs = deps.clock.monotonicMs()
  const { code, text } = await answerTo(message, deps)
  const roundTripMs = deps.clock.monotonicMs() - startedMs
  const transaction = await logged(message, deps)
  const deliveries = await delivered(transaction, code === 'AA' ? message.receivers : 0, deps)
  return { ackCode: code, ackText: text, roundTripMs, transaction, deliveries }
}

async function answerTo({ channel, segments }: TourMessage, { configuration, clock }: PassageDeps) {
  const { channels, mllpHosts, url } = configuration.bridge
  const { port } = channels[channel]
  const host = mllpHosts[0] ?? '127.0.0.1'
  const receiver = `${host}:${port} (channel ${channel})`
  const next = `Is Corridor still running? Look at its terminal, and where it runs at ${url}/console/channels.`
  const client = await connectMllp({ host, port }, { clock }).catch((error: unknown) => {
    throw unavailable(`Nothing takes HL7 messages at ${receiver}. ${next}`, { cause: error })
  })
  try {
    const bytes = await client.send(Buffer.from(`${segments.join('\r')}\r`)).catch((error: unknown) => {
      throw unavailable(`The message was sent to ${receiver}. ${faultOf(error).shown} ${next}`, { cause: error })
    })
    const answer = tryParseMessage(bytes).message
    const said = answer === undefined ? undefined : readAcknowledgement(answer)
    if (said === undefined) throw unavailable(`What answers at ${host}:${port} is not an HL7 receiver.`)
    return said
  } finally {
    await client.close()
  }
}

/** An answer is given after the log has been written, so the first look finds it; a later end is waited for. */
async function logged({ controlId }: TourMessage, deps: PassageDeps): Promise<Transaction> {
  const path = `/api/transactions?controlId=${controlId}`
  const found = await until(deps, async () => {
    const { content } = await deps.admin.get<{ content: readonly Transaction[] }>('bridge', path)
    return content.find(({ completedAt }) => completedAt !== null)
  })
  if (found !== undefined) return found
  throw unavailable(
    `The message ${controlId} is not through yet. See why: ${deps.configuration.bridge.url}/console/messages?controlId=${controlId}`,
  )
}

/** Deliveries are made in the background. What is not settled after a while is shown as it is. */
async function delivered(
  { transactionId }: Transaction,
  receivers: number,
  deps: PassageDeps,
): Promise<readonly Delivery[]> {
  const path = `/api/transactions/${transactionId}/deliveries`
  let last: readonly Delivery[] = []
  await until(deps, async () => {
    last = await deps.admin.get<readonly Delivery[]>('bridge', path)
    const settled = last.filter(({ settledAt }) => settledAt !== null)
    return settled.length >= Math.max(receivers, last.length) ? last : undefined
  })
  return last
}

async function until<Found>(
  { clock, stop }: PassageDeps,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const endMs = clock.monotonicMs() + patienceMs
  for (;;) {
    const found = await look()
    if (found !== undefined || clock.monotonicMs() > endMs) return found
    await clock.sleep(lookEveryMs, stop)
  }
}

const patienceMs = 10_000
const lookEveryMs = 50
