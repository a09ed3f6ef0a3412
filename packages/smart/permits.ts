import { contains } from './contains.ts'
import { uniteLetters, type Letter } from './letters.ts'
import { canonicalQuery } from './query.ts'
import type { ResourceScope, Scope, ScopeContext } from './scope.ts'

/** What someone wants to do, in the words of a scope. */
interface Access {
  readonly context: ScopeContext
  /** A resource type, or `*` for what only a scope over every type opens. */
  readonly type: string
  readonly operation: Letter
}

/**
 * Do the scopes give this access without a bound? A granular scope does not count here: who cannot apply its query
 * must not be opened by it. Who can asks `queriesFor`.
 */
export function permits(scopes: readonly Scope[], access: Access): boolean {
  return queriesFor(scopes, access) === undefined
}

/**
 * The queries that confine an access: undefined when nothing confines it, none when it is not given at all, else each
 * as written in its scope, and what matches any one of them is within reach.
 */
export function queriesFor(scopes: readonly Scope[], access: Access): readonly string[] | undefined {
  const queries = new Map<string, string>()
  for (const scope of scopes) {
    if (scope.kind !== 'resource' || !contains(scope, wantedOf(access, scope.query))) continue
    if (scope.query === undefined) return undefined
    const canonical = canonicalQuery(scope.query)
    if (!queries.has(canonical)) queries.set(canonical, scope.query)
  }
  return [...queries.values()]
}

/** Every letter that the scopes give for some type, in the order `cruds`; scopes without resources give none. */
export function permittedOperations(scopes: readonly Scope[]): string {
  return scopes.reduce((all, scope) => (scope.kind === 'resource' ? uniteLetters(all, scope.letters) : all), '')
}

const wantedOf = ({ context, type, operation }: Access, query: string | undefined): ResourceScope => ({
  kind: 'resource',
  context,
  type,
  letters: operation,
  version: 2,
  query,
})
