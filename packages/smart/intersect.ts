import { contains } from './contains.ts'
import { intersectLetters, uniteLetters, version1Of } from './letters.ts'
import { printScope } from './print.ts'
import { sameQuery } from './query.ts'
import type { Scope } from './scope.ts'

/**
 * Negotiates: of each requested scope, in the order of the request, what the allowed ones leave of it. A requested
 * scope that is wholly allowed comes back word for word.
 */
export function intersectAll(requested: readonly Scope[], allowed: readonly Scope[]): readonly Scope[] {
  const granted = new Map<string, Scope>()
  for (const scope of requested.flatMap((one) => grant(one, allowed))) granted.set(printScope(scope), scope)
  return [...granted.values()]
}

function grant(requested: Scope, allowed: readonly Scope[]): readonly Scope[] {
  const shared = unite(allowed.map((scope) => share(requested, scope)).filter((scope) => scope !== undefined))
  // `*` × (`*`, `Patient`) gives both; the narrower one says nothing more.
  const needed = shared.filter((scope) => !shared.some((other) => other !== scope && contains(other, scope)))
  return needed.map(worded)
}

/** What both scopes give, in the words of the first; undefined when they share nothing. */
function share(requested: Scope, allowed: Scope): Scope | undefined {
  if (requested.kind === 'special' || allowed.kind === 'special') {
    return contains(requested, allowed) ? requested : undefined
  }
  const type = sharedType(requested.type, allowed.type)
  const letters = intersectLetters(requested.letters, allowed.letters)
  if (requested.context !== allowed.context || type === undefined || letters === '') return undefined
  // Two different searches may share results, but no scope can say which.
  if (requested.query !== undefined && allowed.query !== undefined && !sameQuery(requested.query, allowed.query)) {
    return undefined
  }
  return { ...requested, type, letters, query: requested.query ?? allowed.query }
}

/** Puts letters together that were allowed one by one: `.r` and `.s` of one type become `.rs`. */
function unite(scopes: readonly Scope[]): readonly Scope[] {
  const united: Scope[] = []
  for (const scope of scopes) {
    const at = united.findIndex((other) => sameReach(other, scope))
    const known = united[at]
    if (known?.kind === 'resource' && scope.kind === 'resource') {
      united[at] = { ...known, letters: uniteLetters(known.letters, scope.letters) }
    } else if (known === undefined) united.push(scope)
  }
  return united
}

function sameReach(some: Scope, other: Scope): boolean {
  if (some.kind === 'special' || other.kind === 'special') return contains(some, other)
  const letters = 's'
  return contains({ ...some, letters }, { ...other, letters }) && contains({ ...other, letters }, { ...some, letters })
}

function sharedType(some: string, other: string): string | undefined {
  if (some === '*') return other
  return other === '*' || some === other ? some : undefined
}

/** Version 1 has words for three sets of letters only and none for a query; the rest is said in version 2. */
function worded(scope: Scope): Scope {
  return scope.kind === 'resource' &&
    scope.version === 1 &&
    (scope.query !== undefined || version1Of(scope.letters) === undefined)
    ? { ...scope, version: 2 }
    : scope
}
