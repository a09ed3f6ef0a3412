import { intersectAll } from '../../../packages/smart/intersect.ts'
import { parseScopes } from '../../../packages/smart/parse.ts'
import { printScope } from '../../../packages/smart/print.ts'
import type { ResourceScope, Scope } from '../../../packages/smart/scope.ts'
import type { SavedRequest } from '../store/authorization-requests.ts'
import type { Asked } from './asked.ts'
import { promptsOf } from './check-prompt.ts'
import { granularCategories, type GranularCode } from './granular-categories.ts'

/** The scopes that the user has agreed to for this patient, or `ask` when they have not been asked. */
export function consentedScope(
  asked: Asked,
  negotiated: readonly Scope[],
  patient: string | null,
  saved: SavedRequest | undefined,
): readonly Scope[] | 'ask' {
  if (!asked.client.requiresConsent && !promptsOf(asked.parameters).includes('consent')) return negotiated
  if (saved?.consentedScope === undefined || saved.consentedScope === null) return 'ask'
  // What was agreed to about one record opens no other, however the record in context became another.
  if (saved.consentedPatient !== patient) return 'ask'
  // The form says what was ticked; what may be granted is still only what was negotiated.
  return intersectAll(parseScopes(saved.consentedScope), negotiated)
}

/** About so many scopes a user is asked: a token with more would fit into the head of no request. */
export const choicesMax = 500

/** One tick of the consent page. */
export interface Choice {
  readonly scope: string
  /** Narrower scopes that can be granted in its place: the sub-resources of ONC's list. */
  readonly narrower: readonly { readonly scope: string; readonly code: GranularCode }[]
  /** Identity and launch context are what the app is started with; they cannot be taken away one by one. */
  readonly isFixed: boolean
}

export function choicesOf(negotiated: readonly Scope[]): readonly Choice[] {
  return negotiated.map((scope) => ({
    scope: printScope(scope),
    narrower: scope.kind === 'resource' ? narrowerOf(scope) : [],
    isFixed: scope.kind === 'special' && scope.name !== 'offline_access' && scope.name !== 'online_access',
  }))
}

function narrowerOf(scope: ResourceScope): Choice['narrower'] {
  const categories = granularCategories[scope.type]
  if (categories === undefined || scope.query !== undefined || scope.letters !== 'rs') return []
  return categories.map(({ system, code }) => ({
    scope: printScope({ ...scope, version: 2, query: `category=${system}|${code}` }),
    code,
  }))
}
