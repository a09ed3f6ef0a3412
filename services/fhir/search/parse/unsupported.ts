import type { SearchParameter } from '../../../../packages/fhir/definitions.ts'

/** These are defined for every type, but what they search is not indexed. Leaving them out would widen the result. */
const textAndExpressions: ReadonlySet<string> = new Set(['_content', '_text', '_filter', '_query'])

/** These choose what is searched: lists, and what is contained in others. To leave them out would widen it, too. */
const choosing: ReadonlySet<string> = new Set(['_list', '_contained', '_containedType'])

export const choosesSearched = (code: string): boolean => choosing.has(code)

export const searchesText = (code: string): boolean => textAndExpressions.has(code)

/**
 * Whether this server answers the parameter at all; what it does not answer, its capability statement must not name. Names
 * that sound alike are found by `Patient/$match`; `phonetic` would find what begins alike, as `name` does.
 */
export const isSupported = ({ code, type }: SearchParameter): boolean =>
  !searchesText(code) && code !== 'phonetic' && type !== 'special'
