import { effectiveOperations } from './checks.ts'
import type { ConsentTerms } from './record/consent-record.ts'
import { resourceScopesOf } from './record/derive.ts'

/** Types for which a record says the same. */
export interface Grant {
  /** Letters of `cruds`; none where the record opens, or closes, nothing. */
  readonly letters: string
  /** `rest`: every type that no other grant of the record names. */
  readonly types: readonly string[] | 'rest'
}

type Granting = Pick<ConsentTerms, 'provisionType' | 'resourceClasses' | 'scopeValues' | 'permittedOperations'>

/** What a record says, as a decision reads it: the types alike together, in the order in which they are named. */
export function grantsOf(terms: Granting): readonly Grant[] {
  const { resourceClasses } = terms
  const named = resourceClasses.length > 0 ? resourceClasses : typesNamed(terms)
  const byLetters = Map.groupBy(named, (type) => effectiveOperations(terms, type))
  if (resourceClasses.length > 0) return [...byLetters].map(([letters, types]) => ({ letters, types }))
  const rest = effectiveOperations(terms, unnamed)
  byLetters.delete(rest)
  return [...[...byLetters].map(([letters, types]) => ({ letters, types })), { letters: rest, types: 'rest' }]
}

const typesNamed = ({ scopeValues }: Granting): readonly string[] =>
  [...new Set(resourceScopesOf(scopeValues).map(({ type }) => type))].filter((type) => type !== '*')

/** No scope names it, so it stands for every type that none names. */
const unnamed = ''
