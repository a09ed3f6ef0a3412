import { Fault, missing } from '../../../packages/faults/fault.ts'
import { page, redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { object, oneOf, optional, text, uuid } from '../../../packages/http/fields.ts'
import { lastPageBefore, pagesOf, pageQuery, pageQueryTo, readPage } from '../../../packages/http/page-envelope.ts'
import { visiting, writing } from '../../../packages/sign-in/visiting.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { mapFor } from '../routes/unmapped-codes.ts'
import { countRerun, findUnmappedCode, listUnmappedCodes } from '../store/unmapped-codes.ts'
import { consoleRoute, type ConsoleDeps } from './deps.ts'
import { OneCodePage, UnmappedPage, type UnmappedModel } from './unmapped-page.tsx'

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
      mapped: optional(uuid()),
    },
  },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: visitor }, { database, codeReruns, addresses, assetUrl }) => {
    const { status = 'open', mapped, ...paging } = query
    const wanted = readPage(paging)
    const { rows, total } = await listUnmappedCodes(status, wanted, database)
    const pages = pagesOf(wanted, total)
    const last = lastPageBefore(pages)
    if (last !== undefined) return redirect(302, `/console/codes?status=${status}&${pageQueryTo(last, wanted)}`)
    const done = mapped === undefined ? undefined : await doneWith(mapped, { database, codeReruns })
    const model = { visitor, addresses, assetUrl, status, rows, page: pages }
    return page(renderPage(<UnmappedPage model={done === undefined ? model : { ...model, done }} />))
  },
})

/** Anybody can write an address: what is told is what the database knows of the mapping. */
async function doneWith(
  id: string,
  { database, codeReruns }: Pick<ConsoleDeps, 'database' | 'codeReruns'>,
): Promise<UnmappedModel['done'] | undefined> {
  const item = await findUnmappedCode(id, database)
  if (item === undefined || item.mapped_code === null) return undefined
  const [rerun, following] = await Promise.all([countRerun(item, database), codeReruns.following(item)])
  return { code: item.code, mappedCode: item.mapped_code, rerun, following }
}

export const oneCodePage = consoleRoute({
  method: 'GET',
  path: '/console/codes/:id',
  who: visiting('ADMIN'),
  tags,
  summary: 'One code of a sender, and what it means',
  input: { params: { id: uuid() } },
  output: { 200: html, 302: nothing },
  run: async ({ params: { id }, caller: visitor }, { database, addresses, assetUrl }) => {
    const row = await findUnmappedCode(id, database)
    if (row === undefined) throw missing('There is no such item.')
    return page(renderPage(<OneCodePage model={{ visitor, addresses, assetUrl, row }} />))
  },
})

export const mapIt = consoleRoute({
  method: 'POST',
  path: '/console/codes/:id/map',
  who: writing('ADMIN'),
  tags,
  summary: 'Says what a code means, and runs its messages again',
  accepts: [formType],
  input: {
    params: { id: uuid() },
    body: object({
      code: text({ min: 1, max: 200 }),
      display: text({ max: 500, optional: true }),
      replaces: text({ max: 200, optional: true }),
    }),
  },
  output: { 200: html, 303: nothing, 307: nothing },
  run: async ({ params: { id }, body, caller: visitor, request }, deps) => {
    const [code, display] = [body.code.trim(), body.display?.trim() ?? '']
    const meaning = { code, replaces: body.replaces, ...(display === '' ? {} : { display }) }
    try {
      await mapFor({ caller: visitor.caller, request }, id, meaning, deps)
    } catch (thrown) {
      const error = thrown instanceof Fault && thrown.kind === 'incorrect' ? thrown.fields[0]?.message : undefined
      const row = error === undefined ? undefined : await findUnmappedCode(id, deps.database)
      if (error === undefined || row === undefined) throw thrown
      const { addresses, assetUrl } = deps
      const given = { code, display, error }
      return page(renderPage(<OneCodePage model={{ visitor, addresses, assetUrl, row, given }} />))
    }
    return redirect(303, `/console/codes?mapped=${id}`)
  },
})
