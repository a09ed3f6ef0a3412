import { conflict, missing } from '../../../packages/faults/fault.ts'
import { instant, integer, object, oneOf, optional, orNull, text, uuid } from '../../../packages/http/fields.ts'
import { pageOf, pageQuery, PageSchema, readPage } from '../../../packages/http/page-envelope.ts'
import { codeMapFor } from '../code-map-resource.ts'
import {
  findUnmappedCode,
  listUnmappedCodes,
  markMapped,
  usesOf,
  type UnmappedCodeRow,
} from '../store/unmapped-codes.ts'
import { readers, writers } from './callers.ts'
import { adminRoute, type AdminDeps } from './deps.ts'

const UnmappedCodeView = object({
  id: uuid(),
  sendingApplication: text(),
  sendingFacility: text(),
  target: text({ description: 'The system in which the exchange wants it.' }),
  system: text(),
  code: text(),
  display: orNull(text()),
  path: text({ description: 'Where it stood last.' }),
  uses: integer(),
  firstSeenAt: instant(),
  lastSeenAt: instant(),
  mappedCode: orNull(text()),
  mappedDisplay: orNull(text()),
  mappedAt: orNull(instant()),
  mappedBy: orNull(text()),
})

const tags = ['Unmapped codes']
const rerunMax = 1_000

export const listUnmapped = adminRoute({
  method: 'GET',
  path: '/api/unmapped-codes',
  who: readers,
  tags,
  summary: 'Codes of senders that have no counterpart, the latest first',
  input: { query: { ...pageQuery(), status: optional(oneOf(['open', 'mapped'])) } },
  output: { 200: PageSchema(UnmappedCodeView) },
  run: async ({ query }, { database }) => {
    const wanted = readPage(query)
    const { rows, total } = await listUnmappedCodes(query.status ?? 'open', wanted, database)
    return pageOf(rows.map(unmappedView), wanted, total)
  },
})

export const mapCode = adminRoute({
  method: 'POST',
  path: '/api/unmapped-codes/:id/map',
  who: writers,
  tags,
  summary: 'Says what a code means; it is translated from now on, and the messages that hold it are run again',
  input: {
    params: { id: uuid() },
    body: object({ code: text({ min: 1, max: 200 }), display: text({ max: 500, optional: true }) }),
  },
  output: { 200: object({ item: UnmappedCodeView, rerun: integer() }) },
  run: async ({ params, body, caller }, deps) => {
    const { item, rerun } = await mapUnmappedCode(params.id, body, caller.subject, deps)
    return { item: unmappedView(item), rerun }
  },
})

/** Keeps what a code means, and runs the messages again that hold it. */
export async function mapUnmappedCode(
  id: string,
  meaning: { readonly code: string; readonly display?: string },
  by: string,
  { database, store, retries, terminology, clock }: AdminDeps,
): Promise<{ readonly item: UnmappedCodeRow; readonly rerun: number }> {
  const item = await findUnmappedCode(id, database)
  if (item === undefined) throw missing('There is no such item.')
  const { criteria, resource } = codeMapFor(item, meaning)
  await store.updateMatching(resource, criteria)
  terminology.forget()
  const { code, display } = meaning
  const isMine = await markMapped({ id: item.id, code, display, at: clock.now(), by }, database)
  if (!isMine) throw conflict('Somebody else has mapped this code meanwhile.', { code: 'ALREADY_MAPPED' })
  const rerun = await retries.rerun(await usesOf(item.id, rerunMax, database), by)
  return { item: (await findUnmappedCode(item.id, database)) ?? item, rerun }
}

const unmappedView = (row: UnmappedCodeRow) => ({
  id: row.id,
  sendingApplication: row.sending_application,
  sendingFacility: row.sending_facility,
  target: row.target,
  system: row.system,
  code: row.code,
  display: row.display,
  path: row.path,
  uses: Number(row.uses),
  firstSeenAt: row.first_seen_at.toISOString(),
  lastSeenAt: row.last_seen_at.toISOString(),
  mappedCode: row.mapped_code,
  mappedDisplay: row.mapped_display,
  mappedAt: row.mapped_at?.toISOString() ?? null,
  mappedBy: row.mapped_by,
})
