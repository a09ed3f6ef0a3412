import { missing } from '../../../packages/faults/fault.ts'
import { page, redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { optional, text, uuid } from '../../../packages/http/fields.ts'
import { lastPageBefore, pagesOf, pageQuery, readPage } from '../../../packages/http/page-envelope.ts'
import { visiting } from '../../../packages/sign-in/visiting.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { countDeliveries, countDeliveriesOf, readDeliveries } from '../outbound/store/deliveries.ts'
import { noDeliveries } from '../routes/deliveries.ts'
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
  input: { params: subscriptionParams, query: { ...pageQuery(), resent: optional(uuid()) } },
  output: { 200: html, 302: nothing },
  run: async ({ params, query, caller: visitor }, deps) => {
    const { addresses, assetUrl, dispatch } = deps
    const { resent, ...asked } = query
    const { number, size, offset } = readPage(asked)
    const [subscriptions, counts, deliveries] = await Promise.all([
      dispatch.listSubscriptions(),
      countDeliveriesOf(params.id, deps.database),
      dispatch.findDeliveries({ subscriptionId: params.id }, { limit: size, offset }),
    ])
    const subscription = subscriptions.find(({ id }) => id === params.id)
    if (subscription === undefined) throw missing('There is no such subscription, or it was switched off.')
    const { waiting, delivered, dead, skipped } = counts
    const total = waiting + delivered + dead + skipped
    const pages = pagesOf({ number, size }, total)
    const last = lastPageBefore(pages)
    const path = `/console/subscriptions/${encodeURIComponent(params.id)}`
    if (last !== undefined) return redirect(302, `${path}?page=${last}`)
    const [told] = resent === undefined ? [] : await readDeliveries([resent], deps.database)
    const wasResent = told?.subscriptionId === params.id && told.resentBy === visitor.caller.subject
    const model = { visitor, addresses, assetUrl, row: { subscription, counts }, deliveries, page: pages, wasResent }
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
  run: async ({ params, caller: visitor }, { dispatch }) => {
    await dispatch.resend(params.deliveryId, visitor.caller.subject)
    return redirect(303, `/console/subscriptions/${encodeURIComponent(params.id)}?resent=${params.deliveryId}`)
  },
})

async function readSubscriptions({ dispatch, database }: ConsoleDeps): Promise<SubscriptionRow[]> {
  const [subscriptions, counts] = await Promise.all([dispatch.listSubscriptions(), countDeliveries(database)])
  const countsOf = new Map(counts.map((own) => [own.subscriptionId, own]))
  return subscriptions
    .map((subscription) => ({ subscription, counts: countsOf.get(subscription.id) ?? noDeliveries }))
    .sort((one, other) => (one.subscription.id < other.subscription.id ? -1 : 1))
}
