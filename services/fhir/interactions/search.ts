import type { Queryable } from '../../../packages/sql/queryable.ts'
import type { SearchPage, SearchRequest } from '../search/engine.ts'
import type { Answer } from './answer.ts'
import { bundleText, type BundleEntry } from './bundle-text.ts'
import type { InteractionDeps } from './deps.ts'
import { requireRight, requireType } from './require-right.ts'

/** `GET Type?…`, `GET ?…`, compartments and `$everything`, as a searchset. */
export async function search(
  request: Omit<SearchRequest, 'base'>,
  deps: Pick<InteractionDeps, 'engine' | 'definitions' | 'base'>,
  on: Queryable,
): Promise<Answer> {
  const { type, access } = request
  if (type !== undefined) {
    requireType(type, deps.definitions)
    requireRight(access, type, 's')
  }
  const page = await deps.engine.search({ ...request, base: deps.base }, on)
  const touched = page.entries.map(({ type: found, id }) => ({ type: found, id }))
  return { kind: 'made', content: searchsetText(page, deps.base), touched }
}

export function searchsetText({ entries, total, links, warnings }: SearchPage, base: string): string {
  const outcome: BundleEntry[] =
    warnings.length === 0 ? [] : [{ resource: JSON.stringify(warningOutcome(warnings)), rest: mode('outcome') }]
  const found = entries.map(({ type, id, content, mode: how }): BundleEntry => ({
    fullUrl: `${base}/${type}/${id}`,
    resource: content,
    rest: mode(how),
  }))
  return bundleText({ type: 'searchset', total, links }, [...found, ...outcome])
}

const mode = (word: 'match' | 'include' | 'outcome') => ({ search: { mode: word } })

const warningOutcome = (warnings: readonly string[]) => ({
  resourceType: 'OperationOutcome',
  issue: warnings.map((diagnostics) => ({ severity: 'warning', code: 'not-supported', diagnostics })),
})
