import { openedByField } from '../../../packages/views/opened-by.ts'
import type { Door } from './attacked-route.ts'
import type { Answered } from './client.ts'

/**
 * What must never be true of any answer to anybody, whatever was asked: it failed, tells of the inside, may be framed,
 * sniffed or, unless it is the same for everybody, kept. An empty list is what every attack hopes for.
 */
export function answerFaults({ status, headers, text }: Answered, door: Door): string[] {
  const faults: string[] = []
  if (status >= 500) faults.push(`answered ${status}: ${text.slice(0, 200)}`)
  const leak = insides.find((pattern) => pattern.test(text))
  if (leak !== undefined) faults.push(`tells of the inside: ${leak.exec(text)?.[0]}`)
  // What Node itself refuses before there is a request has no place for these.
  if (status === 431) return faults
  const isPage = String(headers['content-type'] ?? '').startsWith('text/html')
  // A form goes on (307) under the policy of the answer.
  const referrer = ['referrer-policy', isPage || status === 307 ? /^same-origin$/ : /^no-referrer$/] as const
  for (const [name, wanted] of [...everyAnswer, referrer]) {
    if (!wanted.test(String(headers[name] ?? ''))) faults.push(`has ${name}: ${String(headers[name])}`)
  }
  const isForEverybody = door === 'open' && status < 400
  if (!isForEverybody && headers['cache-control'] !== 'no-store') faults.push('may be kept')
  if (isPage) faults.push(...formsOfNobody(text))
  if ('x-powered-by' in headers || 'server' in headers) faults.push('names its software')
  return faults
}

/** On a page of the workspace every form that does something says who opened it; signing out is for anybody (1721). */
function formsOfNobody(markup: string): string[] {
  if (!markup.includes(signOutForm)) return []
  const forms = markup.match(/<form [^>]*method="post"[^>]*>(<input[^>]*>)?/g) ?? []
  return forms
    .filter((form) => !form.startsWith(signOutForm) && !form.includes(`name="${openedByField}"`))
    .map((form) => `does not say who opened it: ${form}`)
}

const signOutForm = '<form method="post" action="/sign-out">'

const everyAnswer: readonly (readonly [string, RegExp])[] = [
  ['x-content-type-options', /^nosniff$/],
  ['x-frame-options', /^DENY$/],
  ['content-security-policy', /default-src 'none'.*frame-ancestors 'none'/],
]

/** Stack frames, our own paths, and what PostgreSQL says. */
const insides = [/\n\s+at \S+ \(/, /node_modules/, /\.ts:\d+/, /syntax error at or near/i, /relation "\w+/, /SQLSTATE/]
