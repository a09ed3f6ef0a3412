import { areLetters, lettersOfVersion1 } from './letters.ts'
import { isQuery } from './query.ts'
import { specialScopeNames, type Scope, type ScopeContext } from './scope.ts'

/** Reads one scope. What is unknown, mis-ordered or malformed is undefined, never an exception. */
export function parseScope(text: string): Scope | undefined {
  const name = specialScopeNames.find((special) => special === text)
  if (name !== undefined) return { kind: 'special', name }

  const parts = resourceScope.exec(text)?.groups
  if (parts === undefined) return undefined
  const { context, type = '', access = '', query } = parts
  if (!isContext(context)) return undefined
  if (query !== undefined && !isQuery(query)) return undefined

  const fromWord = lettersOfVersion1(access)
  if (fromWord !== undefined) {
    // Granular queries came with version 2; a version 1 reader would take the scope without its bound.
    return query === undefined
      ? { kind: 'resource', context, type, letters: fromWord, version: 1, query: undefined }
      : undefined
  }
  return areLetters(access) ? { kind: 'resource', context, type, letters: access, version: 2, query } : undefined
}

/** Reads a `scope` parameter or claim: what is not understood is left out, what stands twice is taken once. */
export function parseScopes(text: string): readonly Scope[] {
  const words = new Set(text.split(' '))
  return [...words].map((word) => parseScope(word)).filter((scope) => scope !== undefined)
}

// The query takes the characters of a scope token only (RFC 6749 section 3.3): visible ASCII without quote and backslash.
const resourceScope =
  /^(?<context>[a-z]{1,7})\/(?<type>\*|[A-Z][A-Za-z]{1,63})\.(?<access>\*|[a-z]{1,5})(?:\?(?<query>[!#-[\]-~]+))?$/

const isContext = (text: string | undefined): text is ScopeContext =>
  text === 'patient' || text === 'user' || text === 'system'
