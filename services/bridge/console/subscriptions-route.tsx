import { missing } from '../../../packages/faults/fault.ts'
import { page, redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { oneOf, optional, text, uuid } from '../../../packages/http/fields.ts'
import { lastPageBefore, pagesOf, pageQuery, pageQueryTo, readPage } from '../../../packages/http/page-envelope.ts'
import { visiting } from '../../../packages/sign-in/visiting.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { deliveryStatuses, isWorthSending } from '../outbound/delivery.ts'
import { countDeliveries, countDeliveriesOf, readDeliveries } from '../outbound/store/deliveries.ts'
import { countResentWith } from '../outbound/store/reopen-dead.ts'
import { supersededAmong } from '../outbound/store/superseded.ts'
import { noDeliveries, resendDeadFor, resendFor, totalOf } from '../routes/deliveries.ts'
import { DeliveriesPage } from './deliveries-page.tsx'
import { consoleRoute, type ConsoleDeps } from './deps.ts'
import { SubscriptionsPage, type SubscriptionRow } from './subscriptions-page.tsx'

const tags = ['Console']
const subscriptionParams = { id: text({ max: 200 }) }

export const subscriptionsPage = consoleRoute({
  method: 'GET',
  path: '/console/subscriptions',
  who: visiting('ADMIN'),
  tags,
  summary: 'The subscriptions that are served',
  output: { 200: html, 302: nothing },
  run: async ({ caller: visitor }, deps) => {
    const { addresses, assetUrl } = deps
    const rows = await readSubscriptions(deps)
    return page(renderPage(<SubscriptionsPage model={{ visitor, addresses, assetUrl, rows }} />))
  },
})

export const deliveriesPage = consoleRoute({
  method: 'GET',
  path: '/console/subscriptions/:id',
  who: visiting('ADMIN'),
  tags,
  summary: 'One subscription with its delivery log',
  input: {
    params: subscriptionParams,
    query: {
      ...pageQuery(),
      status: optional(oneOf(deliveryStatuses)),
      resent: optional(uuid()),
      unsent: optional(oneOf(['all'])),
    },
  },
  output: { 200: html, 302: nothing },
  run: async ({ params, query, caller: visitor }, deps) => {
    const { addresses, assetUrl, dispatch } = deps
    const { resent, unsent, status, ...asked } = query
    const { number, size, offset } = readPage(asked)
    const [subscriptions, counts, deliveries] = await Promise.all([
      dispatch.listSubscriptions(),
      countDeliveriesOf(params.id, deps.database),
      dispatch.findDeliveries({ subscriptionId: params.id, status }, { limit: size, offset }),
    ])
    const subscription = subscriptions.find(({ id }) => id === params.id)
    if (subscription === undefined) throw missing('There is no such subscription, or it was switched off.')
    const pages = pagesOf({ number, size }, status === undefined ? totalOf(counts) : counts[status])
    const last = lastPageBefore(pages)
    const path = pathOf(params.id)
    const only = status === undefined ? '' : `status=${status}&`
    if (last !== undefined) return redirect(302, `${path}?${only}${pageQueryTo(last, pages)}`)
    const offered = deliveries.filter(isWorthSending).map((delivery) => delivery.id)
    const model = {
      ...{ visitor, addresses, assetUrl, row: { subscription, counts }, deliveries, page: pages, status },
      superseded: await supersededAmong(offered, deps.database),
      resent: unsent === undefined ? await resentWith(resent, { id: params.id, by: visitor.caller.subject }, deps) : 0,
    }
    return page(renderPage(<DeliveriesPage model={model} />))
  },
})

export const sendAgain = consoleRoute({
  method: 'POST',
  path: '/console/subscriptions/:id/deliveries/:deliveryId/resend',
  who: visiting('ADMIN'),
  tags,
  summary: 'Sends a delivery again that was given up',
  accepts: [formType],
  input: { params: { ...subscriptionParams, deliveryId: uuid() } },
  output: { 303: nothing },
  run: async ({ params, caller: { caller }, request }, deps) => {
    await resendFor({ caller, request }, params.deliveryId, deps)
    return redirect(303, `${pathOf(params.id)}?resent=${params.deliveryId}`)
  },
})

export const sendAllAgain = consoleRoute({
  method: 'POST',
  path: '/console/subscriptions/:id/deliveries/resend',
  who: visiting('ADMIN'),
  tags,
  summary: 'Sends again what was given up of a subscription, at most a thousand at once',
  accepts: [formType],
  input: { params: subscriptionParams },
  output: { 303: nothing },
  run: async ({ params, caller: { caller }, request }, deps) => {
    const [first] = (await resendDeadFor({ caller, request }, params.id, deps)).deliveryIds
    return redirect(303, `${pathOf(params.id)}?status=dead&${first === undefined ? 'unsent=all' : `resent=${first}`}`)
  },
})

const pathOf = (id: string): string => `/console/subscriptions/${encodeURIComponent(id)}`

/** How many went out with this one, where the reader had it sent: an address alone says nothing. */
async function resentWith(
  deliveryId: string | undefined,
  { id, by }: { readonly id: string; readonly by: string },
  { database }: ConsoleDeps,
): Promise<number | undefined> {
  const [told] = deliveryId === undefined ? [] : await readDeliveries([deliveryId], database)
  if (told?.subscriptionId !== id || told.resentBy !== by) return undefined
  return countResentWith(told, database)
}

async function readSubscriptions({ dispatch, database }: ConsoleDeps): Promise<SubscriptionRow[]> {
  const [subscriptions, counts] = await Promise.all([dispatch.listSubscriptions(), countDeliveries(database)])
  const countsOf = new Map(counts.map((own) => [own.subscriptionId, own]))
  return subscriptions.map((subscription) => ({ subscription, counts: countsOf.get(subscription.id) ?? noDeliveries }))
}
