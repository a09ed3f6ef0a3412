import { page, redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { object, oneOf, optional, text, uuid } from '../../../packages/http/fields.ts'
import { pagesOf, pageQuery, readPage } from '../../../packages/http/page-envelope.ts'
import { visiting } from '../../../packages/sign-in/visiting.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { mapUnmappedCode } from '../routes/unmapped-codes.ts'
import { listUnmappedCodes } from '../store/unmapped-codes.ts'
import { consoleRoute } from './deps.ts'
import { UnmappedPage } from './unmapped-page.tsx'

const tags = ['Console']

export const unmappedPage = consoleRoute({
  method: 'GET',
  path: '/console/codes',
  who: visiting('ADMIN'),
  tags,
  summary: 'Codes of senders that have no counterpart',
  input: {
    query: {
      ...pageQuery(),
      status: optional(oneOf(['open', 'mapped'])),
      mapped: text({ max: 200, optional: true }),
      rerun: text({ pattern: /^\d{1,6}$/, says: 'must be a number', optional: true }),
    },
  },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: visitor }, { database, addresses, assetUrl }) => {
    const { status = 'open', mapped, rerun = '0', ...paging } = query
    const wanted = readPage(paging)
    const { rows, total } = await listUnmappedCodes(status, wanted, database)
    const pages = pagesOf(wanted, total)
    const done = mapped === undefined ? {} : { done: { code: mapped, rerun: Number(rerun) } }
    return page(
      renderPage(<UnmappedPage model={{ visitor, addresses, assetUrl, status, rows, page: pages, ...done }} />),
    )
  },
})

export const mapIt = consoleRoute({
  method: 'POST',
  path: '/console/codes/:id/map',
  who: visiting('ADMIN'),
  tags,
  summary: 'Says what a code means, and runs its messages again',
  accepts: [formType],
  input: {
    params: { id: uuid() },
    body: object({ code: text({ min: 1, max: 200 }), display: text({ max: 500, optional: true }) }),
  },
  output: { 303: nothing },
  run: async ({ params: { id }, body, caller: visitor }, deps) => {
    const display = body.display?.trim() ?? ''
    const meaning = { code: body.code.trim(), ...(display === '' ? {} : { display }) }
    const { item, rerun } = await mapUnmappedCode(id, meaning, visitor.caller.subject, deps)
    const told = new URLSearchParams({ mapped: item.code, rerun: String(rerun) })
    return redirect(303, `/console/codes?${told.toString()}`)
  },
})
