import { includesLetters } from './letters.ts'
import { sameQuery } from './query.ts'
import type { ResourceScope, Scope } from './scope.ts'

/** Does the one scope give everything that the other gives? */
export function contains(wide: Scope, narrow: Scope): boolean {
  if (wide.kind === 'special' || narrow.kind === 'special') {
    return wide.kind === 'special' && narrow.kind === 'special' && wide.name === narrow.name
  }
  return reaches(wide, narrow) && includesLetters(wide.letters, narrow.letters)
}

/** Do the scopes together give everything that the one gives? `.r` and `.s` together give `.rs`. */
export function cover(scopes: readonly Scope[], wanted: Scope): boolean {
  if (wanted.kind === 'special') return scopes.some((scope) => contains(scope, wanted))
  return wanted.letters.split('').every((letters) => scopes.some((scope) => contains(scope, { ...wanted, letters })))
}

/** Do the scopes give everything that the others give? The question of a refresh that asks for scopes. */
export function coverAll(scopes: readonly Scope[], wanted: readonly Scope[]): boolean {
  return wanted.every((scope) => cover(scopes, scope))
}

/** The same without the letters. Different queries are never compared by meaning: only a search engine could. */
function reaches(wide: ResourceScope, narrow: ResourceScope): boolean {
  return (
    wide.context === narrow.context &&
    (wide.type === '*' || wide.type === narrow.type) &&
    (wide.query === undefined || (narrow.query !== undefined && sameQuery(wide.query, narrow.query)))
  )
}
