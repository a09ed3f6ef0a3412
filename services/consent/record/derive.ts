import { letters } from '../../../packages/smart/letters.ts'
import { parseScope } from '../../../packages/smart/parse.ts'
import { permittedOperations } from '../../../packages/smart/permits.ts'
import type { ResourceScope, Scope, ScopeContext } from '../../../packages/smart/scope.ts'

const allOperations = letters.join('')

/**
 * The letters that the scopes give, in the order `cruds`. No scopes at all means every operation, just as no actor
 * means all actors; scopes that are about no resource (`launch`) give none.
 */
export function operationsOf(scopeValues: readonly string[]): string {
  return scopeValues.length === 0 ? allOperations : permittedOperations(scopesOf(scopeValues))
}

/** The resource types that the scopes name; empty, which means all, when one names every type or none names any. */
export function resourceClassesOf(scopeValues: readonly string[]): readonly string[] {
  const types = resourceScopesOf(scopeValues).map(({ type }) => type)
  return types.includes('*') ? [] : [...new Set(types)]
}

/** Whose context a record without an explicit one is about; undefined when nothing says so. */
export function contextOf(patientId: string | null, scopeValues: readonly string[]): ScopeContext | undefined {
  if (patientId !== null) return 'patient'
  const contexts = new Set(resourceScopesOf(scopeValues).map(({ context }) => context))
  return contexts.has('system') ? 'system' : contexts.has('user') ? 'user' : undefined
}

export function resourceScopesOf(scopeValues: readonly string[]): ResourceScope[] {
  return scopesOf(scopeValues).filter((scope) => scope.kind === 'resource')
}

const scopesOf = (scopeValues: readonly string[]): Scope[] =>
  scopeValues.map((text) => parseScope(text)).filter((scope) => scope !== undefined)
