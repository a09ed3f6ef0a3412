import { page, redirect } from '../../../../packages/http/answer.ts'
import { html, nothing } from '../../../../packages/http/content.ts'
import { text } from '../../../../packages/http/fields.ts'
import { lastPageBefore, pagesOf, pageQuery, readPage } from '../../../../packages/http/page-envelope.ts'
import { visiting } from '../../../../packages/sign-in/visiting.ts'
import { renderPage } from '../../../../packages/views/render.ts'
import { recordLook } from '../../store/looks.ts'
import { searchTransactions } from '../../store/search-transactions.ts'
import { consoleRoute } from '../deps.ts'
import { SearchPage } from './search-page.tsx'
import { filledWords, hrefOfPage, readSearch } from './search-words.ts'

const word = text({ max: 200, optional: true })

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
      ...{ status: word, channelId: word, errorCode: word, from: word, to: word },
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
    const { addresses, assetUrl } = deps
    const search = readSearch(words)
    if (search.is === 'wrong') {
      return page(renderPage(<SearchPage model={{ visitor, addresses, assetUrl, words, faults: search.faults }} />))
    }
    const { filter } = search
    // Whoever searches in what messages say, or for a patient, learns from the answer what they say.
    if (filter.q !== undefined || filter.patientId !== undefined) {
      const look = { caller: visitor.caller, transactionId: '', what: 'search', requestId: request.id } as const
      await recordLook(look, deps)
    }
    const { rows, total, isCut } = await searchTransactions(filter, wanted, deps.database)
    const pages = pagesOf(wanted, total)
    const last = lastPageBefore(pages)
    if (last !== undefined) return redirect(302, hrefOfPage(words, last, pages))
    const found = { rows, page: pages, isCut }
    return page(renderPage(<SearchPage model={{ visitor, addresses, assetUrl, words, found }} />))
  },
})
