import { page } from '../../../packages/http/answer.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { text } from '../../../packages/http/fields.ts'
import { pagesOf, pageQuery, readPage } from '../../../packages/http/page-envelope.ts'
import { visiting } from '../../../packages/sign-in/visiting.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { recordLook } from '../store/looks.ts'
import { searchTransactions } from '../store/search-transactions.ts'
import { consoleRoute } from './deps.ts'
import { SearchPage } from './search-page.tsx'
import { filledWords, filterOf } from './search-words.ts'

const word = text({ max: 200, optional: true })
const day = text({ pattern: /^(\d{4}-\d{2}-\d{2})?$/, says: 'must be a day, as 2026-03-14', optional: true })

export const searchPage = consoleRoute({
  method: 'GET',
  path: '/console/messages',
  who: visiting('ADMIN'),
  tags: ['Console'],
  summary: 'Searches the transaction log',
  input: {
    query: {
      ...pageQuery(),
      ...{ q: word, controlId: word, patientId: word, facilityCode: word, messageType: word },
      ...{ status: word, channelId: word, errorCode: word, from: day, to: day },
    },
  },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: visitor, request }, deps) => {
    const { page: number, size, ...given } = query
    const words = filledWords(given)
    const wanted = readPage({
      ...(number === undefined ? {} : { page: number }),
      ...(size === undefined ? {} : { size }),
    })
    const filter = filterOf(words)
    // Whoever searches in what messages say, or for a patient, learns from the answer what they say.
    if (filter.q !== undefined || filter.patientId !== undefined) {
      const look = { caller: visitor.caller, transactionId: '', what: 'search', requestId: request.id } as const
      await recordLook(look, deps)
    }
    const { rows, total, isCut } = await searchTransactions(filter, wanted, deps.database)
    const { addresses, assetUrl } = deps
    const pages = pagesOf(wanted, total)
    return page(renderPage(<SearchPage model={{ visitor, addresses, assetUrl, words, rows, page: pages, isCut }} />))
  },
})
