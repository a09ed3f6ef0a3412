import { version1Of } from './letters.ts'
import type { Scope } from './scope.ts'

/** The text of a scope; what was parsed comes out as it went in. */
export function printScope(scope: Scope): string {
  if (scope.kind === 'special') return scope.name
  const { context, type, letters, version, query } = scope
  const access = (version === 1 ? version1Of(letters) : undefined) ?? letters
  return `${context}/${type}.${access}${query === undefined ? '' : `?${query}`}`
}

/** The text of a `scope` parameter or claim. */
export function printScopes(scopes: readonly Scope[]): string {
  return scopes.map(printScope).join(' ')
}
