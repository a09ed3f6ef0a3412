import { page, redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { flag, optional } from '../../../packages/http/fields.ts'
import { visiting } from '../../../packages/sign-in/visiting.ts'
import { renderFragment, renderPage } from '../../../packages/views/render.ts'
import { dependencies } from '../breakers/breakers.ts'
import { queueDepth } from '../durable/claims.ts'
import { resetFor } from '../routes/circuit-breaker.ts'
import { lastReset } from '../store/breaker-resets.ts'
import { BreakersPage, BreakerTable, type BreakerRow } from './breakers-page.tsx'
import { consoleRoute, type ConsoleDeps } from './deps.ts'

const tags = ['Console']
/** So long a reset is told as what the reader has just done. */
const justNowMs = 60_000

export const breakersPage = consoleRoute({
  method: 'GET',
  path: '/console/breakers',
  who: visiting('ADMIN'),
  tags,
  summary: 'The circuit breaker of each dependency',
  input: { query: { reset: optional(flag()) } },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: visitor }, deps) => {
    const { addresses, assetUrl, database, clock } = deps
    const [rows, last] = await Promise.all([readBreakers(deps), lastReset(database)])
    const isOwn = last?.by === visitor.caller.subject && clock.now().getTime() - last.at.getTime() < justNowMs
    const wasReset = query.reset === true && isOwn
    return page(renderPage(<BreakersPage model={{ visitor, addresses, assetUrl, rows, lastReset: last, wasReset }} />))
  },
})

export const breakersNow = consoleRoute({
  method: 'GET',
  path: '/console/breakers/now',
  who: visiting('ADMIN'),
  tags,
  summary: 'The states of the breakers, for the page to put in place',
  output: { 200: html, 302: nothing },
  run: async (_input, deps) => {
    return page(renderFragment(<BreakerTable rows={await readBreakers(deps)} />))
  },
})

export const resetAllBreakers = consoleRoute({
  method: 'POST',
  path: '/console/breakers/reset',
  who: visiting('ADMIN'),
  tags,
  summary: 'Closes all circuits and tries what waits',
  accepts: [formType],
  output: { 303: nothing },
  run: async ({ caller: { caller }, request }, deps) => {
    await resetFor({ caller, request }, deps)
    return redirect(303, '/console/breakers?reset=true')
  },
})

async function readBreakers({ breakers, database }: ConsoleDeps): Promise<BreakerRow[]> {
  const depth = await queueDepth(database)
  return dependencies.map((name) => ({
    ...breakers.entryOf(name),
    name,
    waiting: name === 'fhir-server' ? depth : 0,
  }))
}
