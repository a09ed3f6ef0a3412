import { page } from '../../../../packages/http/answer.ts'
import { html, nothing } from '../../../../packages/http/content.ts'
import { visiting } from '../../../../packages/sign-in/visiting.ts'
import { renderFragment, renderPage } from '../../../../packages/views/render.ts'
import { dependencies } from '../../breakers/breakers.ts'
import { readChannels } from '../channels/channel-rows.ts'
import { consoleRoute, type ConsoleDeps } from '../deps.ts'
import { FlowView, OverviewPage } from './overview-page.tsx'
import type { FlowModel } from './flow-model.ts'

const tags = ['Console']

export const overviewPage = consoleRoute({
  method: 'GET',
  path: '/console',
  who: visiting('ADMIN'),
  tags,
  summary: 'What flows now',
  output: { 200: html, 302: nothing },
  run: async ({ caller: visitor }, deps) => {
    const { addresses, assetUrl } = deps
    const flow = await readFlow(deps)
    return page(renderPage(<OverviewPage model={{ visitor, addresses, assetUrl, flow }} />))
  },
})

export const overviewNow = consoleRoute({
  method: 'GET',
  path: '/console/now',
  who: visiting('ADMIN'),
  tags,
  summary: 'The part of the overview that changes, for the page to put in place',
  output: { 200: html, 302: nothing },
  run: async (_input, deps) => {
    return page(renderFragment(<FlowView flow={await readFlow(deps)} />))
  },
})

async function readFlow(deps: ConsoleDeps): Promise<FlowModel> {
  const { figures, breakers } = deps
  const [now, channels] = await Promise.all([figures.now(), readChannels(deps)])
  return {
    now,
    channels,
    breakers: new Map(dependencies.map((name) => [name, breakers.entryOf(name).state])),
  }
}
