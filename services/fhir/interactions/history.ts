import { isFhirId } from '../../../packages/fhir/fhir-id.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import type { AccessConditions } from '../scopes/access.ts'
import { isBigint } from '../search/cursor.ts'
import type { Shape } from '../search/ast.ts'
import { shaped } from '../search/bundle/shape.ts'
import { refuse } from '../search/parse/refuse.ts'
import { lastMs } from '../search/sql/rows/dates.ts'
import { sentTime } from '../search/parse/values/sent-time.ts'
import { readHistory, rightToHistory, type HistoryCursor, type HistoryEntry } from '../store/history.ts'
import { resourceKey } from '../store/keys.ts'
import { readResource } from '../store/read.ts'
import type { Answer } from './answer.ts'
import { bundleText, type BundleEntry } from './bundle-text.ts'
import type { InteractionDeps } from './deps.ts'
import { historyResponse } from './entry-response.ts'
import { notThere } from './read.ts'
import { requireRight, requireType } from './require-right.ts'
import { shapeOf } from './shape-of.ts'

interface HistoryRequest {
  /** Undefined: of all types. */
  readonly type?: string
  /** Undefined: of all resources of the type. */
  readonly id?: string
  /** `_since`, `_count`, `_summary`, `_elements` and where the page begins, as sent. */
  readonly query: string
  readonly access: AccessConditions
  /** Unknown parameters are an error (`Prefer: handling=strict`), else they are left out. */
  readonly isStrict: boolean
}

const countDefault = 50
const countMax = 1_000

/** `GET Type/id/_history`, `GET Type/_history` and `GET _history`, the newest first. */
export async function history(
  request: HistoryRequest,
  deps: Pick<InteractionDeps, 'engine' | 'definitions' | 'base'>,
  on: Queryable,
): Promise<Answer> {
  const { type, id, access } = request
  if (type !== undefined) {
    requireType(type, deps.definitions)
    requireRight(access, type, rightToHistory(request))
  }
  if (type !== undefined && id !== undefined && !isFhirId(id)) throw notThere(type)
  const asked = parametersOf(request)
  const { entries, isCut } = await readHistory(
    {
      types: type === undefined ? [...deps.definitions.resourceTypes] : [type],
      ...(id === undefined ? {} : { id }),
      ...asked,
      // One more than asked for tells whether there is a next page.
      count: asked.count + 1,
      access,
    },
    on,
    deps.engine,
  )
  if (type !== undefined && id !== undefined && entries.length === 0 && asked.after === undefined) {
    const isThere = (await readResource({ type, id, access }, on, deps.engine)) !== undefined
    if (!isThere) throw notThere(type)
  }
  const touched = entries
    .slice(0, asked.count)
    .map(({ type: of, id: own, version }) => ({ type: of, id: own, version }))
  return { kind: 'made', content: historyText(request, entries, { ...asked, isCut }, deps), touched }
}

interface Asked {
  /** What the links repeat. */
  readonly understood: URLSearchParams
  readonly since?: Date
  readonly after?: HistoryCursor
  readonly count: number
  readonly shape: Shape
}

function parametersOf({ type, id, query, isStrict }: HistoryRequest): Asked {
  // One without a value is none: forms send their empty fields.
  const parameters = new URLSearchParams([...new URLSearchParams(query)].filter(([, value]) => value !== ''))
  const unknown = [...parameters.keys()].filter((name) => !known.has(name))
  // To leave these out would show more than was asked for.
  const refused = unknown.find((name) => isStrict || name === '_at' || name === '_list')
  if (refused !== undefined) throw refuse(refused, 'is not supported for a history.')
  for (const name of unknown) parameters.delete(name)
  const since = parameters.get('_since')
  const cursor = parameters.get('_cursor')
  const count = parameters.get('_count') ?? String(countDefault)
  if (!/^[0-9]{1,9}$/.test(count)) throw refuse('_count', 'must be a whole number.')
  const shape = shapeOf(parameters)
  if (shape.kind === 'count') throw refuse('_summary', 'cannot be count for a history: it is not counted.')
  const after = cursor === null ? undefined : readCursor(cursor)
  // Of one resource a page goes on by number, and that of another resource is no place in it.
  const isOfAnother = type !== undefined && id !== undefined && after?.key !== resourceKey(type, id)
  if (after !== undefined && isOfAnother) throw notGiven()
  return {
    understood: parameters,
    ...(since === null ? {} : { since: instantOf(since) }),
    ...(after === undefined ? {} : { after }),
    count: Math.min(Number(count), countMax),
    shape,
  }
}

const known: ReadonlySet<string> = new Set([
  ...['_since', '_count', '_cursor'],
  // R4 section 3.1.0.1.5 has these for all interactions.
  ...['_format', '_pretty', '_summary', '_elements'],
])

function instantOf(text: string): Date {
  const range = sentTime(text)
  if (range === undefined) throw refuse('_since', 'must be an instant such as 2026-03-04T05:06:07Z.')
  return new Date(range.low)
}

function historyText(
  request: HistoryRequest,
  found: readonly HistoryEntry[],
  { count, understood, isCut, shape }: Asked & { readonly isCut: boolean },
  { base, definitions }: Pick<InteractionDeps, 'base' | 'definitions'>,
): string {
  const entries = found.slice(0, count)
  const last = entries.at(-1)
  const place = [request.type, request.id, '_history'].filter((step) => step !== undefined).join('/')
  const self = `${base}/${place}${understood.size === 0 ? '' : `?${understood.toString()}`}`
  const links = [{ relation: 'self', url: self }]
  if ((isCut || found.length > count) && last !== undefined) {
    const parameters = new URLSearchParams(understood)
    parameters.set('_cursor', writeCursor(last))
    links.push({ relation: 'next', url: `${base}/${place}?${parameters.toString()}` })
  }
  const cut = ({ type, content }: HistoryEntry) =>
    content === undefined ? undefined : shaped(content, type, shape, definitions)
  return bundleText(
    { type: 'history', links },
    entries.map((entry) => historyEntry({ ...entry, content: cut(entry) }, base)),
  )
}

function historyEntry(entry: HistoryEntry, base: string): BundleEntry {
  const { type, id, method, content } = entry
  const url = method === 'POST' ? type : `${type}/${id}`
  return {
    fullUrl: `${base}/${type}/${id}`,
    resource: content,
    rest: { request: { method, url }, response: historyResponse(entry) },
  }
}

const writeCursor = ({ lastUpdated, key, version }: HistoryEntry) =>
  Buffer.from(`${lastUpdated.getTime()} ${key} ${version}`).toString('base64url')

function readCursor(text: string): HistoryCursor {
  const match = /^(\d{1,15}) (-?\d{1,19}) (\d{1,9})$/.exec(Buffer.from(text, 'base64url').toString())
  const [, ms = '', key = '', version] = match ?? []
  // What PostgreSQL has no name for was never given by us.
  if (match === null || Number(ms) > lastMs || !isBigint(key)) throw notGiven()
  return { lastUpdated: new Date(Number(ms)), key, version: Number(version) }
}

const notGiven = () => refuse('_cursor', 'is not one that this server gave.')
