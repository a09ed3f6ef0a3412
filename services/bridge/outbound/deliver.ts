import type { Backoff } from '../../../packages/clock/backoff.ts'
import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf, unavailable, unprocessable, unreachable, type Fault } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import { Batcher } from '../../../packages/sql/batcher.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { Outbox, OutboxWorker } from '../../../packages/sql/tasks/outbox.ts'
import { isOutside } from '../../../packages/sql/tasks/outside.ts'
import type { ReceiverPlaces } from '../../../packages/sql/tasks/receiver-places.ts'
import { isUntried, postponed } from '../../../packages/sql/tasks/task-attempt.ts'
import type { SmsGateway } from '../../../ports/sms-gateway/sms-gateway.ts'
import type { PassBoundary } from '../pipeline/boundaries.ts'
import type { SubscriptionBook } from '../subscriptions/subscription-book.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { AwayReceivers } from './away-receivers.ts'
import type { MllpDeliveries } from './channels/deliver-mllp.ts'
import { headersOf, type RestDeliveries } from './channels/deliver-rest.ts'
import { deliveryTopic, overtaken, switchedOff, type Delivery } from './delivery.ts'
import { settlementsOf, tellOutcome, type DeliveryOutcome, type DeliveryTask } from './delivery-outcome.ts'
import { hostAndPort } from './host-and-port.ts'
import { isAddressedTo, receiverOf } from './messages/outbound-message.ts'
import { mayBeOutdated, type WhyOutdated } from './outdated.ts'
import { readToSend, settleDeliveries, type ToSend } from './store/deliveries.ts'

interface DeliverDeps {
  readonly outbox: Outbox
  readonly database: Database
  readonly book: SubscriptionBook
  readonly mllp: MllpDeliveries
  readonly rest: RestDeliveries
  readonly sms: SmsGateway
  /** Where an endpoint really is; a fault where it may not be called. */
  readonly place: (endpoint: string) => string
  readonly away: AwayReceivers
  readonly places: ReceiverPlaces
  readonly whyOutdated: WhyOutdated
  /** How long a delivery waits for a receiver that is away. */
  readonly awayMs: number
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
  const load = new Batcher<string, ToSend | undefined>({ write: (ids) => readToSend(ids, database) })
  return outbox.deliver<DeliveryTask, DeliveryOutcome | undefined>({
    topics: [deliveryTopic],
    ...{ gatherMs: 50, endsGatherMs: 20 },
    ...{ concurrency, leaseMs, backoff, claimMin: Math.ceil(concurrency / 4) },
    // The last attempt ends here, with a row that says so.
    attemptsMax: attemptsMax + 1,
    handle: async ({ payload, attempt }, signal) => {
      const planned = await load.submit(payload.id)
      if (planned?.status !== 'waiting') return undefined
      if (planned.isOvertaken) return { delivery: planned, status: 'skipped', answered: null, error: overtaken }
      let delivery: Delivery = planned
      try {
        const subscription = await subscriptionOf(planned, signal, deps)
        if (subscription === undefined) return { delivery, status: 'skipped', answered: null, error: switchedOff }
        const served = servedBy(subscription, planned)
        // Without an endpoint it sends to each patient's own number, which the delivery holds.
        delivery = { ...planned, endpoint: served.endpoint ?? planned.endpoint }
        const outdated = await outdatedNow(delivery, served, signal, deps)
        if (outdated !== undefined) return { delivery, status: 'skipped', answered: null, error: outdated }
        const answered = await sendOnceThere(delivery, served, signal, deps)
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

/** As it is now, whatever it was when the delivery was planned: where to, and with which credentials, belong together. */
const subscriptionOf = ({ subscriptionId }: Delivery, signal: AbortSignal, { book }: DeliverDeps) =>
  askStore(() => book.serving(subscriptionId, { signal }), signal)

const outdatedNow = (
  delivery: Delivery,
  subscription: Subscription,
  signal: AbortSignal,
  { whyOutdated, clock }: DeliverDeps,
): Promise<string | undefined> =>
  mayBeOutdated(delivery, clock.now())
    ? askStore(() => whyOutdated(delivery, subscription), signal)
    : Promise.resolve(undefined)

async function askStore<Answer>(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  try {
    return await ask()
  } catch (thrown) {
    signal.throwIfAborted()
    const fault = faultOf(thrown)
    const { kind, shown, logged = fault.message } = fault
    // Who is away comes back. What the store refuses may be allowed soon, but nobody waits for that for ever.
    throw isOutside(fault) ? postponed(shown) : unavailable(shown, { logged: `${kind}: ${logged}`, cause: fault })
  }
}

/** The subscription, where what was made for it can still go out by it. */
function servedBy(subscription: Subscription | string, { channel, payload }: Delivery): Subscription {
  if (typeof subscription === 'string') throw unprocessable(subscription)
  if (subscription.channel !== channel) throw unprocessable('The subscription has another channel now.')
  // A number that means one patient there may mean another one here, and this receiver may have sent it itself.
  if (channel === 'message' && !isAddressedTo(receiverOf(subscription), payload)) {
    throw unprocessable('The subscription has another receiver now.')
  }
  return subscription
}

/** To one who is away it goes when he is back, unless it has waited for that long enough. */
async function sendOnceThere(delivery: Delivery, subscription: Subscription, signal: AbortSignal, deps: DeliverDeps) {
  const receiver = nameOf(delivery)
  try {
    const sent = () => send(delivery, subscription, signal, deps)
    return await deps.away.reach(receiver, () => deps.places.hold(receiver, sent, signal))
  } catch (thrown) {
    const fault = faultOf(thrown)
    if (!isUntried(fault) || !deps.away.isLastingly(receiver)) throw fault
    const since = delivery.resentAt ?? delivery.createdAt
    if (deps.clock.now().getTime() - since.getTime() >= deps.awayMs) throw unprocessable(fault.shown)
    if (subscription.status !== 'error') await deps.book.markError(subscription.id, fault.shown, { signal })
    throw fault
  }
}

/** Who takes the connection. */
const nameOf = ({ channel, endpoint }: Delivery): string =>
  channel === 'sms' ? 'SMS gateway' : hostAndPort(new URL(endpoint))

async function send(
  { id: key, channel, endpoint, payload, resource }: Delivery,
  subscription: Subscription,
  signal: AbortSignal,
  deps: DeliverDeps,
): Promise<string> {
  switch (channel) {
    case 'message':
      return deps.mllp.deliver(deps.place(endpoint), payload, signal)
    case 'rest-hook': {
      // Headers may hold credentials: they stay with the subscription and have no business in a log.
      const headers = headersOf(subscription.headers)
      // What was made when content was asked for is not shown to whom less is to be said now.
      const body = subscription.payload === undefined ? '' : payload
      return deps.rest.deliver({ key, endpoint: deps.place(endpoint), resource, body, headers }, signal)
    }
    case 'sms':
      return deps.sms.send({ id: key, to: endpoint.replace(/^tel:/, ''), text: payload }, { signal })
    default:
      return unreachable(channel)
  }
}
