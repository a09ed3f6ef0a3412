import { instant, integer, object, oneOf, optional, orNull, text, uuid } from '../../../packages/http/fields.ts'
import { pageOf, pageQuery, PageSchema, readPage } from '../../../packages/http/page-envelope.ts'
import type { OperatorAction } from '../audit/operator-action.ts'
import { mapUnmappedCode, type CodeMeaning, type MappedCode } from '../unmapped/map-unmapped-code.ts'
import { listUnmappedCodes, type UnmappedCodeRow } from '../store/unmapped-codes.ts'
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
    body: object({
      code: text({ min: 1, max: 200 }),
      display: text({ max: 500, optional: true }),
      replaces: text({
        ...{ min: 1, max: 200, optional: true },
        description: 'What the code is mapped to and is no longer: a mapping is changed by naming the one before.',
      }),
    }),
  },
  output: {
    200: object({
      item: UnmappedCodeView,
      rerun: integer({ description: 'How many messages were put to work again: the oldest thousand at once.' }),
      following: integer({ description: 'How many more follow by themselves.' }),
    }),
  },
  run: async ({ params, body, caller, request }, deps) => {
    const { item, rerun, following } = await mapFor({ caller, request }, params.id, body, deps)
    return { item: unmappedView(item), rerun, following }
  },
})

export const mapFor = (
  who: Pick<OperatorAction, 'caller' | 'request'>,
  id: string,
  meaning: CodeMeaning,
  deps: AdminDeps,
): Promise<MappedCode> =>
  deps.audited(
    { did: 'map-code', to: { kind: 'unmapped-code', id }, ...who },
    () => mapUnmappedCode(id, meaning, who.caller.subject, deps),
    ({ item, rerun, following }) => ({ details: { mappedCode: item.mapped_code, rerun, following } }),
  )

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
