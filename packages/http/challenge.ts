import type { Fault } from '../faults/fault.ts'
import type { Who } from './who.ts'

/** The WWW-Authenticate header of a refusal (RFC 6750 section 3), or none where the fault is of another kind. */
export function challengeOf(fault: Fault, who: Who | undefined): string | undefined {
  // RFC 6749 section 5.2: a client that failed to prove itself at the token endpoint.
  if (fault.kind === 'unauthenticated' && fault.code === 'invalid_client') return 'Basic realm="corridor"'
  if (fault.kind === 'unauthenticated') return who?.kind === 'guard' ? undefined : bearer(fault, [])
  // Two tokens at once, where one is asked for.
  if (fault.kind === 'incorrect' && fault.code === 'invalid_request')
    return takesToken(who) ? bearer(fault, []) : undefined
  if (fault.code === 'insufficient_scope')
    return bearer(fault, fault.scopes.length > 0 ? fault.scopes : (who?.scopes ?? []))
  return undefined
}

const takesToken = (who: Who | undefined): boolean =>
  who !== undefined && who.kind !== 'anyone' && who.kind !== 'loopback' && who.kind !== 'guard'

const errorWords = new Set(['invalid_request', 'invalid_token', 'insufficient_scope'])

function bearer(fault: Fault, scopes: readonly string[]): string {
  const parts = ['realm="corridor"']
  if (fault.code !== undefined && errorWords.has(fault.code)) {
    parts.push(`error="${fault.code}"`, `error_description="${quotable(fault.shown)}"`)
  }
  if (scopes.length > 0) parts.push(`scope="${quotable(scopes.join(' '))}"`)
  return `Bearer ${parts.join(', ')}`
}

/** RFC 6750 section 3 allows printable ASCII without the quote and the backslash. */
const quotable = (text: string) => text.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ')
