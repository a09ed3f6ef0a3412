import { cover } from './contains.ts'
import { parseScope, parseScopes } from './parse.ts'

/** Does a token's scope text give the wanted scope? For routes that name a scope; an unknown one is given by nothing. */
export function scopeMatches(granted: string, wanted: string): boolean {
  const scope = parseScope(wanted)
  return scope !== undefined && cover(parseScopes(granted), scope)
}
