import { missing } from '../../../packages/faults/fault.ts'
import { reply } from '../../../packages/http/answer.ts'
import { instant, integer, list, object, oneOf, optional, orNull, text, uuid } from '../../../packages/http/fields.ts'
import { pageOf, pageQuery, PageSchema, readPage } from '../../../packages/http/page-envelope.ts'
import type { OperatorAction } from '../audit/operator-action.ts'
import { deliveryStatuses, type Delivery } from '../outbound/delivery.ts'
import type { ResentDead } from '../outbound/resend.ts'
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
const subscriptionParams = { id: text({ max: 200 }) }

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
  input: { params: subscriptionParams, query: { ...pageQuery(), status: optional(oneOf(deliveryStatuses)) } },
  output: { 200: PageSchema(DeliveryView) },
  run: async ({ params, query }, { dispatch, database }) => {
    const { status, ...asked } = query
    const wanted = readPage(asked)
    const filter = { subscriptionId: params.id, status }
    const found = await dispatch.findDeliveries(filter, { limit: wanted.size, offset: wanted.offset })
    if (found.length === 0) await checkIsKnown(params.id, { dispatch, database })
    const counts = await countDeliveriesOf(params.id, database)
    return pageOf(found.map(deliveryView), wanted, status === undefined ? totalOf(counts) : counts[status])
  },
})

export const listOpenDeliveries = adminRoute({
  method: 'GET',
  path: '/api/deliveries',
  who: readers,
  tags,
  summary: 'What was given up, or still waits, for any subscription, the newest first',
  input: {
    query: {
      ...pageQuery(),
      status: optional(oneOf(['dead', 'waiting'], { description: 'dead unless said.' })),
      subscription: text({ max: 200, optional: true, description: 'Only those for this subscription.' }),
    },
  },
  output: { 200: PageSchema(DeliveryView) },
  run: async ({ query }, { dispatch, database }) => {
    const { status = 'dead', subscription: subscriptionId, ...asked } = query
    const wanted = readPage(asked)
    const found = await dispatch.findDeliveries(
      { subscriptionId, status },
      { limit: wanted.size, offset: wanted.offset },
    )
    const counts =
      subscriptionId === undefined
        ? await countDeliveries(database)
        : [await countDeliveriesOf(subscriptionId, database)]
    const total = counts.reduce((sum, own) => sum + own[status], 0)
    return pageOf(found.map(deliveryView), wanted, total)
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
  run: async ({ params, caller, request }, deps) => deliveryView(await resendFor({ caller, request }, params.id, deps)),
})

export const resendDeadDeliveries = adminRoute({
  method: 'POST',
  path: '/api/subscriptions/:id/deliveries/resend',
  who: writers,
  tags,
  summary: 'Sends again what was given up of a subscription, the oldest first and at most a thousand a call',
  input: { params: subscriptionParams },
  output: {
    202: object({
      subscriptionId: text(),
      matched: integer({ description: 'How many were given up and hold something to send.' }),
      accepted: integer({
        description:
          'How many of them are sent again now, unless what one tells is no longer so: its row says it then.',
      }),
      superseded: integer({ description: 'How many are not: a newer version has gone out since.' }),
      deliveryIds: list(uuid()),
    }),
  },
  run: async ({ params, caller, request }, deps) => {
    await checkIsKnown(params.id, deps)
    const { deliveryIds, ...counted } = await resendDeadFor({ caller, request }, params.id, deps)
    return reply(202, { subscriptionId: params.id, ...counted, deliveryIds: [...deliveryIds] })
  },
})

type Who = Pick<OperatorAction, 'caller' | 'request'>
type Sending = Pick<AdminDeps, 'audited' | 'dispatch'>

export const resendFor = (who: Who, id: string, { audited, dispatch }: Sending): Promise<Delivery> =>
  audited({ did: 'resend-delivery', to: { kind: 'delivery', id }, ...who }, () =>
    dispatch.resend(id, who.caller.subject),
  )

export const resendDeadFor = (who: Who, id: string, { audited, dispatch }: Sending): Promise<ResentDead> =>
  audited(
    { did: 'resend-deliveries', to: { kind: 'subscription', id }, ...who },
    () => dispatch.resendDead(id, who.caller.subject),
    ({ matched, accepted, superseded }) => ({ details: { matched, accepted, superseded } }),
  )

/** One that was switched off or removed still has its log. */
async function checkIsKnown(
  id: string,
  { dispatch, database }: Pick<AdminDeps, 'dispatch' | 'database'>,
): Promise<void> {
  const isListed = (await dispatch.listSubscriptions()).some((one) => one.id === id)
  if (!isListed && !(await hasDeliveries(id, database))) throw missing('There is no such subscription.')
}

export const totalOf = ({ waiting, delivered, dead, skipped }: Omit<DeliveryCounts, 'subscriptionId'>): number =>
  waiting + delivered + dead + skipped

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
