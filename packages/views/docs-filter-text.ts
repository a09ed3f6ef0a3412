import type { DocsOperation } from '../http/docs/docs-model.ts'

/** What the filter of the docs page looks through. */
export function docsFilterText({ method, path, summary, who }: DocsOperation): string {
  return `${method} ${path} ${summary} ${who}`.toLowerCase()
}
