import { missing } from '../../../packages/faults/fault.ts'
import { instant, integer, list, object, oneOf, orNull, text, uuid } from '../../../packages/http/fields.ts'
import { pageOf, pageQuery, PageSchema, readPage } from '../../../packages/http/page-envelope.ts'
import { deliveryStatuses, type Delivery } from '../outbound/delivery.ts'
import { countDeliveries, countDeliveriesOf, hasDeliveries, type DeliveryCounts } from '../outbound/store/deliveries.ts'
import { deliveryChannels, type ListedSubscription } from '../subscriptions/subscription.ts'
import { readers, writers } from './callers.ts'
import { adminRoute, type AdminDeps } from './deps.ts'
import { existingTransaction, transactionParams } from './get-transaction.ts'

const SubscriptionView = object({
  id: text(),
  status: oneOf(['active', 'error']),
  error: orNull(text({ description: 'Why it is not served, or why what is sent does not arrive.' })),
  reason: text(),
  criteria: text(),
  channel: text({ description: 'rest-hook, message and sms are served; the others of R4 are not.' }),
  endpoint: orNull(text({ description: 'None: the patient’s own number.' })),
  waiting: integer(),
  delivered: integer(),
  dead: integer(),
  skipped: integer(),
  lastDeliveredAt: orNull(instant()),
})

/** What was sent is left out, and where a short message went: both may tell of a patient. */
const DeliveryView = object({
  id: uuid(),
  subscriptionId: text(),
  transactionId: text(),
  resource: text(),
  versionId: orNull(text()),
  channel: oneOf(deliveryChannels),
  endpoint: orNull(text()),
  status: oneOf(deliveryStatuses),
  attempts: integer(),
  createdAt: instant(),
  nextAttemptAt: orNull(instant()),
  settledAt: orNull(instant()),
  lastError: orNull(text()),
  answered: orNull(text()),
  resentAt: orNull(instant({ description: 'When somebody last had it sent again.' })),
  resentBy: orNull(text()),
})

const tags = ['Subscriptions']

export const listSubscriptions = adminRoute({
  method: 'GET',
  path: '/api/subscriptions',
  who: readers,
  tags,
  summary:
    'The subscriptions that are switched on, how many of their deliveries arrived, and why where one is not served',
  output: { 200: list(SubscriptionView) },
  run: async (_, { dispatch, database }) => {
    const [subscriptions, counts] = await Promise.all([dispatch.listSubscriptions(), countDeliveries(database)])
    return subscriptions.map((one) =>
      subscriptionView(
        one,
        counts.find(({ subscriptionId }) => subscriptionId === one.id),
      ),
    )
  },
})

export const listDeliveriesOf = adminRoute({
  method: 'GET',
  path: '/api/subscriptions/:id/deliveries',
  who: readers,
  tags,
  summary: 'What was sent for a subscription, the newest first',
  input: { params: { id: text({ max: 200 }) }, query: pageQuery() },
  output: { 200: PageSchema(DeliveryView) },
  run: async ({ params, query }, { dispatch, database }) => {
    const wanted = readPage(query)
    const found = await dispatch.deliveriesOf(params.id, { limit: wanted.size, offset: wanted.offset })
    // One that was switched off or removed still has its log.
    if (found.length === 0 && !(await isKnown(params.id, { dispatch, database })))
      throw missing('There is no such subscription.')
    const { waiting, delivered, dead, skipped } = await countDeliveriesOf(params.id, database)
    return pageOf(found.map(deliveryView), wanted, waiting + delivered + dead + skipped)
  },
})

export const listDeliveriesFor = adminRoute({
  method: 'GET',
  path: '/api/transactions/:transactionId/deliveries',
  who: readers,
  tags,
  summary: 'What was sent because of a message',
  input: { params: transactionParams },
  output: { 200: list(DeliveryView) },
  run: async ({ params }, { dispatch, database }) => {
    const { id } = await existingTransaction(params.transactionId, database)
    return (await dispatch.listDeliveries(id)).map(deliveryView)
  },
})

export const resendDelivery = adminRoute({
  method: 'POST',
  path: '/api/deliveries/:id/resend',
  who: writers,
  tags,
  summary: 'Sends a delivery again, under the same key: a receiver that had it can tell',
  input: { params: { id: uuid() } },
  output: { 200: DeliveryView },
  run: async ({ params, caller }, { dispatch }) => deliveryView(await dispatch.resend(params.id, caller.subject)),
})

const isKnown = async (
  id: string,
  { dispatch, database }: Pick<AdminDeps, 'dispatch' | 'database'>,
): Promise<boolean> =>
  (await dispatch.listSubscriptions()).some((one) => one.id === id) || (await hasDeliveries(id, database))

export const noDeliveries = { waiting: 0, delivered: 0, dead: 0, skipped: 0, lastDeliveredAt: null } as const

function subscriptionView(
  { id, status, error, reason, criteria, channel, endpoint }: ListedSubscription,
  { waiting, delivered, dead, skipped, lastDeliveredAt }: Omit<DeliveryCounts, 'subscriptionId'> = noDeliveries,
) {
  return {
    ...{ id, status, error: error ?? null, reason, criteria, channel, endpoint: endpoint ?? null },
    ...{ waiting, delivered, dead, skipped, lastDeliveredAt: lastDeliveredAt?.toISOString() ?? null },
  }
}

function deliveryView({ patient: _patient, payload: _payload, ...delivery }: Delivery) {
  return {
    ...delivery,
    endpoint: delivery.channel === 'sms' ? null : delivery.endpoint,
    createdAt: delivery.createdAt.toISOString(),
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    settledAt: delivery.settledAt?.toISOString() ?? null,
    resentAt: delivery.resentAt?.toISOString() ?? null,
  }
}
