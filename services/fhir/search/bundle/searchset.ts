import type { SearchPage } from '../engine.ts'

/**
 * The Bundle of a page, as text. The resources are stored as the text that is sent, so they are put in as they are:
 * nothing is parsed or printed again, and decimals stay as they were written.
 */
export function searchsetOf(page: SearchPage, base: string): string {
  const entries = page.entries.map(
    ({ type, id, content, mode }) =>
      `{"fullUrl":${JSON.stringify(`${base}/${type}/${id}`)},"resource":${content},"search":{"mode":"${mode}"}}`,
  )
  if (page.warnings.length > 0) entries.push(outcomeEntry(page.warnings))
  const total = page.total === undefined ? '' : `,"total":${page.total}`
  const list = entries.length === 0 ? '' : `,"entry":[${entries.join(',')}]`
  return `{"resourceType":"Bundle","type":"searchset"${total},"link":${JSON.stringify(page.links)}${list}}`
}

function outcomeEntry(warnings: readonly string[]): string {
  const issue = warnings.map((diagnostics) => ({ severity: 'warning', code: 'not-supported', diagnostics }))
  return JSON.stringify({ resource: { resourceType: 'OperationOutcome', issue }, search: { mode: 'outcome' } })
}
