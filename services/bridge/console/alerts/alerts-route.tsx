import { page, redirect } from '../../../../packages/http/answer.ts'
import { formType } from '../../../../packages/http/body.ts'
import { html, nothing } from '../../../../packages/http/content.ts'
import { object, oneOf, optional, uuid } from '../../../../packages/http/fields.ts'
import { lastPageBefore, pagesOf, pageQuery, pageQueryTo, readPage } from '../../../../packages/http/page-envelope.ts'
import { visiting } from '../../../../packages/sign-in/visiting.ts'
import { renderPage } from '../../../../packages/views/render.ts'
import { alertStatuses, isAcknowledgedBy, listAlerts } from '../../coordination/store/alerts.ts'
import { acknowledge } from '../../routes/alerts.ts'
import { recordLooks } from '../../store/looks.ts'
import { alertTexts } from './alert-texts.ts'
import { AlertsPage } from './alerts-page.tsx'
import { consoleRoute } from '../deps.ts'

const tags = ['Console']

export const alertsPage = consoleRoute({
  method: 'GET',
  path: '/console/alerts',
  who: visiting('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'Critical results that somebody must have seen; the look is recorded',
  input: { query: { ...pageQuery(), status: optional(oneOf(alertStatuses)), done: optional(uuid()) } },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: visitor, request }, deps) => {
    const { database, addresses, assetUrl, clock } = deps
    const { caller } = visitor
    const { status = 'open', done, ...paging } = query
    const wanted = readPage(paging)
    const { rows, total } = await listAlerts(status, wanted, database)
    const pages = pagesOf(wanted, total)
    const last = lastPageBefore(pages)
    if (last !== undefined) return redirect(302, `/console/alerts?status=${status}&${pageQueryTo(last, wanted)}`)
    const isDone = done !== undefined && (await isAcknowledgedBy(done, caller.subject, database))
    const { id: requestId, signal } = request
    await recordLooks(
      rows.map(({ patient, transactionId }) => ({ caller, requestId, what: 'alert', patient, transactionId })),
      deps,
    )
    const texts = await alertTexts(rows, { store: deps.storeOf(visitor), now: clock.now(), signal })
    const model = { visitor, addresses, assetUrl, status, rows, texts, page: pages, isDone }
    return page(renderPage(<AlertsPage model={model} />))
  },
})

export const acknowledgeIt = consoleRoute({
  method: 'POST',
  path: '/console/alerts/:id/acknowledge',
  who: visiting('CLINICIAN', 'ADMIN'),
  tags,
  summary: 'Says that somebody has seen a critical result',
  accepts: [formType],
  input: { params: { id: uuid() }, body: object({}) },
  output: { 303: nothing },
  run: async ({ params: { id }, caller: { caller }, request }, deps) => {
    await acknowledge(id, { caller, requestId: request.id }, deps)
    return redirect(303, `/console/alerts?done=${id}`)
  },
})
