import { isReply, page } from '../../../packages/http/answer.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { admit, visiting } from '../../../packages/sign-in/visiting.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { consoleRoute } from './deps.ts'
import { OverviewPage } from './overview-page.tsx'

const tags = ['Console']

export const overviewPage = consoleRoute({
  method: 'GET',
  path: '/console',
  who: visiting,
  tags,
  summary: 'What flows now',
  output: { 200: html, 302: nothing },
  run: ({ caller, request }, { addresses, assetUrl }) => {
    const visitor = admit(caller, request, ['ADMIN'])
    if (isReply(visitor)) return visitor
    return page(renderPage(<OverviewPage model={{ visitor, addresses, assetUrl }} />))
  },
})
