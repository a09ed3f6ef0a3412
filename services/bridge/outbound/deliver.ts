import type { Backoff } from '../../../packages/clock/backoff.ts'
import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf, unreachable, type Fault } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { Outbox, OutboxWorker } from '../../../packages/sql/tasks/outbox.ts'
import { isUntried } from '../../../packages/sql/tasks/task-attempt.ts'
import type { SmsGateway } from '../../../ports/sms-gateway/sms-gateway.ts'
import type { PassBoundary } from '../pipeline/boundaries.ts'
import type { SubscriptionBook } from '../subscriptions/subscription-book.ts'
import type { MllpDeliveries } from './channels/deliver-mllp.ts'
import { headersOf, type RestDeliveries } from './channels/deliver-rest.ts'
import { deliveryTopic, type Delivery } from './delivery.ts'
import { settlementsOf, tellOutcome, type DeliveryOutcome, type DeliveryTask } from './delivery-outcome.ts'
import { readDeliveries, settleDeliveries } from './store/deliveries.ts'

interface DeliverDeps {
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
  readonly leaseMs: number
  readonly backoff: Backoff
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly passBoundary: PassBoundary
}

/**
 * Sends what waits: at least once, in order for each subscription and patient, and never for ever. What became of a
 * delivery and the end of its task are one commit with those of others: alone, each of the two cost more than sending.
 */
export function deliverAll(deps: DeliverDeps): OutboxWorker<DeliveryTask, DeliveryOutcome | undefined> {
  const { outbox, database, attemptsMax, concurrency, leaseMs, backoff, clock } = deps
  const load = new Batcher<string, Delivery | undefined>({ write: (ids) => readDeliveries(ids, database) })
  return outbox.deliver<DeliveryTask, DeliveryOutcome | undefined>({
    topics: [deliveryTopic],
    ...{ gatherMs: 50, endsGatherMs: 20 },
    ...{ concurrency, leaseMs, backoff, claimMin: Math.ceil(concurrency / 4) },
    // The last attempt ends here, with a row that says so.
    attemptsMax: attemptsMax + 1,
    handle: async ({ payload, attempt }, signal) => {
      const delivery = await load.submit(payload.id)
      if (delivery?.status !== 'waiting') return undefined
      try {
        const answered = await send(delivery, signal, deps)
        deps.passBoundary('dispatched')
        return { delivery, status: 'delivered', answered, error: null }
      } catch (thrown) {
        const fault = faultOf(thrown)
        // Thrown, it is tried again; where this copy stops or nothing was sent, it was no attempt.
        if (signal.aborted || isUntried(fault) || (attempt < attemptsMax && canHelp(fault))) throw fault
        return { delivery, status: 'dead', answered: null, error: fault.shown }
      }
    },
    record: {
      statementOf: (ends) => settleDeliveries(settlementsOf(ends, clock.now())),
      written: (end) => tellOutcome(end, deps),
    },
  })
}

/** Whether trying again can help. */
const canHelp = ({ kind }: Fault) => kind === 'unavailable' || kind === 'too-much' || kind === 'bug'

async function send(delivery: Delivery, signal: AbortSignal, deps: DeliverDeps): Promise<string> {
  const { id: key, channel, endpoint, payload, resource, subscriptionId } = delivery
  switch (channel) {
    case 'message':
      return deps.mllp.deliver(deps.place(endpoint), payload, signal)
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
