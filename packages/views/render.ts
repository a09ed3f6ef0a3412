import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** A whole page as text. Every text in it is escaped; there is no way to hand in markup as a string. */
export function renderPage(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`
}

/** A part of a page, for a script that refetches just that part. */
export function renderFragment(part: VNode): string {
  return renderToString(part)
}
