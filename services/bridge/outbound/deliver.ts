import { waitAfterAttemptMs, type Backoff } from '../../../packages/clock/backoff.ts'
import type { Clock } from '../../../packages/clock/clock.ts'
import type { Random } from '../../../packages/clock/ids.ts'
import { faultOf, unreachable, type Fault } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { Outbox, OutboxWorker } from '../../../packages/sql/outbox.ts'
import type { SmsGateway } from '../../../ports/sms-gateway/sms-gateway.ts'
import type { PassBoundary } from '../durable/boundaries.ts'
import type { SubscriptionBook } from '../subscriptions/subscription-book.ts'
import type { MllpDeliveries } from './channels/deliver-mllp.ts'
import { headersOf, type RestDeliveries } from './channels/deliver-rest.ts'
import { deliveryTopic, type Delivery } from './delivery.ts'
import { lastOutcomes, readDeliveries, settleDeliveries, type Settlement } from './store/deliveries.ts'

export interface DeliverDeps {
  readonly outbox: Outbox
  readonly database: Database
  readonly book: SubscriptionBook
  readonly mllp: MllpDeliveries
  readonly rest: RestDeliveries
  readonly sms: SmsGateway
  /** Where an endpoint really is; a fault where it may not be called. */
  readonly place: (endpoint: string) => string
  readonly attemptsMax: number
  readonly concurrency: number
  readonly backoff: Backoff
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: Metrics
  readonly passBoundary: PassBoundary
}

/** A subscription of which these many in a row could not be delivered is in error. */
const deadInARow = 3

/** Sends what waits: at least once, in order for each subscription and patient, and never for ever. */
export function deliverAll(deps: DeliverDeps): OutboxWorker<{ readonly id: string }> {
  const { outbox, database, attemptsMax, concurrency, clock } = deps
  const backoff = { ...deps.backoff, jitter: 0 } // the log says when it will be tried again
  const load = new Batcher<string, Delivery | undefined>({ write: (ids) => readDeliveries(ids, database) })
  const settle = new Batcher<Settlement, undefined>({
    // One at a time: what ends meanwhile is written together.
    writers: 1,
    write: async (settlements) => {
      await settleDeliveries(settlements, database)
      return settlements.map(() => undefined)
    },
  })
  return outbox.deliver<{ readonly id: string }>({
    topics: [deliveryTopic],
    gatherMs: 50,
    ...{ concurrency, backoff, claimMin: Math.ceil(concurrency / 4) },
    // The last attempt ends here, with a row that says so.
    attemptsMax: attemptsMax + 1,
    handle: async ({ payload, attempt }, signal) => {
      const delivery = await load.submit(payload.id)
      if (delivery?.status !== 'waiting') return
      const outcome = { id: delivery.id, attempts: attempt, nextAttemptAt: null, lastError: null, answered: null }
      try {
        const answered = await send(delivery, signal, deps)
        deps.passBoundary('dispatched')
        await settle.submit({ ...outcome, status: 'delivered', at: clock.now(), answered })
        count(delivery, 'delivered', deps)
        await recovered(delivery, deps)
      } catch (thrown) {
        const fault = faultOf(thrown)
        // This copy stops: it was no attempt.
        if (signal.aborted) throw fault
        const lastError = fault.shown
        const isLast = attempt >= attemptsMax || !canHelp(fault)
        if (!isLast) {
          const nextAttemptAt = new Date(clock.now().getTime() + waitAfterAttemptMs(attempt, backoff, deps.random))
          await settle.submit({ ...outcome, status: 'waiting', at: clock.now(), nextAttemptAt, lastError })
          throw fault
        }
        await settle.submit({ ...outcome, status: 'dead', at: clock.now(), lastError })
        count(delivery, 'dead', deps)
        await failed(delivery, lastError, deps)
      }
    },
  })
}

/** Whether trying again can help. */
const canHelp = ({ kind }: Fault) => kind === 'unavailable' || kind === 'too-much' || kind === 'bug'

async function send(delivery: Delivery, signal: AbortSignal, deps: DeliverDeps): Promise<string> {
  const { id: key, channel, endpoint, payload, resource, subscriptionId } = delivery
  switch (channel) {
    case 'message':
      return deps.mllp.deliver(deps.place(endpoint), payload)
    case 'rest-hook': {
      // Headers may hold credentials: they stay with the subscription and have no business in a log.
      const subscription = (await deps.book.current({ signal })).find(({ id }) => id === subscriptionId)
      const headers = headersOf(subscription?.headers ?? [])
      return deps.rest.deliver({ key, endpoint: deps.place(endpoint), resource, body: payload, headers }, signal)
    }
    case 'sms':
      return deps.sms.send({ id: key, to: endpoint.replace(/^tel:/, ''), text: payload }, { signal })
    default:
      return unreachable(channel)
  }
}

async function recovered({ subscriptionId }: Delivery, { book }: DeliverDeps): Promise<void> {
  const subscription = (await book.current()).find(({ id }) => id === subscriptionId)
  if (subscription?.status === 'error') await book.markActive(subscriptionId)
}

async function failed(
  { subscriptionId }: Delivery,
  error: string,
  { book, database, log }: DeliverDeps,
): Promise<void> {
  log.error('delivery is dead', { queue: subscriptionId, error })
  const last = await lastOutcomes(subscriptionId, deadInARow, database)
  if (last.length === deadInARow && last.every((status) => status === 'dead')) {
    await book.markError(subscriptionId, `The last ${deadInARow} deliveries failed. ${error}`)
  }
}

function count({ channel }: Delivery, outcome: string, { metrics }: DeliverDeps): void {
  metrics
    .counter('corridor_bridge_deliveries_total', 'Deliveries to subscribers, by channel and how they ended', [
      'channel',
      'outcome',
    ])
    .inc({ channel, outcome })
}
