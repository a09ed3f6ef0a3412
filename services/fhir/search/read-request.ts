import type { Search } from './ast.ts'
import { withinCompartment } from './compartment-search.ts'
import type { SearchRequest } from './engine.ts'
import { everyReference, parseEverything } from './everything.ts'
import type { ParseContext } from './parse/parse-context.ts'
import { parseSearch } from './parse/parse-search.ts'
import { pairsOf } from './parse/query-text.ts'
import { refuse } from './parse/refuse.ts'

interface ReadRequest {
  readonly search: Search
  /** The types that may be added to what is found by following references. */
  readonly addable: ReadonlySet<string>
}

export function readRequest(request: SearchRequest, context: ParseContext): ReadRequest {
  const read =
    request.everythingOf === undefined
      ? readSearch(request, context)
      : readEverything(request.everythingOf, request, context)
  checkShape(read.search)
  return read
}

function readEverything(patient: string, { query, isStrict }: SearchRequest, context: ParseContext): ReadRequest {
  const { includedTypes, ...search } = parseEverything(patient, pairsOf(query), isStrict, context)
  return { search: { ...search, includes: [everyReference] }, addable: new Set(includedTypes) }
}

function readSearch({ type, query, isStrict, compartment }: SearchRequest, context: ParseContext): ReadRequest {
  const { definitions } = context
  const search = parseSearch(pairsOf(query), { type, strict: isStrict }, context)
  return {
    search: compartment === undefined ? search : withinCompartment(search, compartment, type, definitions),
    addable: definitions.resourceTypes,
  }
}

function checkShape({ shape, includes }: Search): void {
  if (shape.kind === 'summary' && shape.of === 'text' && includes.length > 0) {
    throw refuse('_summary', 'cannot be text together with _include or _revinclude.')
  }
}
