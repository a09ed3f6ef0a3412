import { forbidden } from '../faults/fault.ts'

/**
 * Refuses what a page of another origin sends in the user's name. Ports share cookies and count as one site, so
 * neither SameSite nor the cookie prefix helps; the browser's own word does: `Sec-Fetch-Site` first, else `Origin`.
 * Where both are missing it is no browser, and no browser's cookie jar is being abused. An `Origin` of `null` is a page that
 * does not say where it is from: none of ours (`security-headers.ts`).
 */
export function checkSameOrigin(
  headers: { readonly 'sec-fetch-site'?: unknown; readonly origin?: unknown },
  ownOrigins: readonly string[],
): void {
  const site = headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return
  const { origin } = headers
  if (site === undefined && origin === undefined) return
  if (site === undefined && typeof origin === 'string' && ownOrigins.includes(origin)) return
  throw forbidden('This request came from a page of another site. Open the page here and send it again.', {
    code: 'FOREIGN_ORIGIN',
  })
}
