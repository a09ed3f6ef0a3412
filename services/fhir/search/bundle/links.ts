import type { Pair, Search } from '../ast.ts'
import { fingerprintOf, printCursor, type PagePosition } from '../cursor.ts'
import type { SearchPage, SearchRequest } from '../engine.ts'
import { queryText } from '../parse/query-text.ts'
import { cursorName } from '../parse/result-parameters.ts'
import type { FoundPage, FoundRow } from '../sql/page.ts'

/** The address of the search without its query. */
function pathOf({ type, compartment, everythingOf }: SearchRequest): string {
  if (everythingOf !== undefined) return `/Patient/${encodeURIComponent(everythingOf)}/$everything`
  if (compartment !== undefined) return `/${compartment.type}/${encodeURIComponent(compartment.id)}/${type ?? '*'}`
  return type === undefined ? '' : `/${type}`
}

export const searchFingerprint = (request: SearchRequest, { understood }: Search): string =>
  fingerprintOf(`${pathOf(request)}?${queryText(understood)}`)

/** Links are addresses for GET, also where the search came as a form. */
export function linksOf(
  request: SearchRequest,
  search: Search,
  position: PagePosition | undefined,
  { rows, hasMore }: FoundPage,
): SearchPage['links'] {
  const address = (pairs: readonly Pair[]) =>
    `${request.base}${pathOf(request)}${pairs.length === 0 ? '' : `?${queryText(pairs)}`}`
  const fingerprint = searchFingerprint(request, search)
  const at = (row: FoundRow, backwards: boolean) =>
    address([
      ...search.understood,
      [cursorName, printCursor({ key: row.key, values: row.values, backwards }, fingerprint)],
    ])
  const self = address(
    search.cursor === undefined ? search.understood : [...search.understood, [cursorName, search.cursor]],
  )
  const isBackwards = position?.backwards === true
  const [firstRow] = rows
  const lastRow = rows.at(-1)
  const hasNext = isBackwards || hasMore
  const hasPrevious = isBackwards ? hasMore : position !== undefined
  return [
    { relation: 'self', url: self },
    { relation: 'first', url: address(search.understood) },
    ...(hasPrevious && firstRow !== undefined ? [{ relation: 'previous', url: at(firstRow, true) }] : []),
    ...(hasNext && lastRow !== undefined ? [{ relation: 'next', url: at(lastRow, false) }] : []),
  ]
}
