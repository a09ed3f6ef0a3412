import type { Definitions } from '../../../packages/fhir/definitions.ts'
import { prepareParameter } from '../../../packages/fhir/search/extract.ts'
import type { IndexValue } from '../../../packages/fhir/search/index-value.ts'
import type { Resource } from '../../../packages/fhir/r4.ts'
import type { Condition, Match, Missing, Search, Sought } from '../search/ast.ts'
import type { ResolvedCodes } from '../search/resolve-codes.ts'
import { isInDate } from './ranges.ts'
import { comparableKinds, valueMatches, type MatchContext } from './value-matches.ts'

export type Matches = (resource: Resource) => boolean

interface CompileDeps {
  readonly definitions: Definitions
  readonly codes: ResolvedCodes
  readonly ownBases: readonly string[]
}

/** The search of one type as a question to a resource in memory; undefined where only the store can answer it. */
export function compileCriteria({ branches }: Pick<Search, 'branches'>, deps: CompileDeps): Matches | undefined {
  const [branch, ...others] = branches
  if (branch === undefined || others.length > 0 || !branch.conditions.every(isComparable)) return undefined
  const tests = branch.conditions.flatMap((condition) =>
    condition.kind === 'match' || condition.kind === 'missing' ? [testOf(condition, deps)] : [],
  )
  return (resource) => tests.every((test) => test(resource))
}

function isComparable(condition: Condition): boolean {
  if (condition.kind === 'missing') return condition.parameter.type !== 'special'
  return condition.kind === 'match' && condition.anyOf.every(({ kind }) => comparableKinds.has(kind))
}

function testOf(condition: Match | Missing, { definitions, codes, ownBases }: CompileDeps): Matches {
  const { parameter } = condition
  if (condition.kind === 'match' && parameter.code === '_id') return hasId(condition)
  if (condition.kind === 'match' && parameter.code === '_lastUpdated') return isUpdated(condition)
  const walks = prepareParameter(parameter, definitions)
  const valuesOf = (resource: Resource): readonly IndexValue[] => {
    const values: IndexValue[] = []
    // Sound: a resource is a plain object, which is what walks go through.
    const root = resource as unknown as Readonly<Record<string, unknown>>
    for (const walk of walks) walk(root, root, values)
    return values
  }
  if (condition.kind === 'missing') return (resource) => valuesOf(resource).some(isThere) !== condition.isMissing
  const context: MatchContext = { parameter, codes, ownBases, allTypes: definitions.resourceTypes }
  const isSought = (value: IndexValue) => condition.anyOf.some((sought) => valueMatches(value, sought, context))
  return (resource) => valuesOf(resource).some(isSought) !== condition.negated
}

/** A reference that is only a display is found by nothing. */
const isThere = (value: IndexValue) =>
  value.kind !== 'reference' || (value.id ?? value.url ?? value.identifierValue) !== undefined

function hasId({ anyOf, negated }: Match): Matches {
  const ids = new Set(anyOf.flatMap((sought) => (sought.kind === 'token' ? (sought.code ?? []) : [])))
  return ({ id }) => (id !== undefined && ids.has(id)) !== negated
}

function isUpdated({ anyOf }: Match): Matches {
  const dates = anyOf.filter((sought): sought is Extract<Sought, { kind: 'date' }> => sought.kind === 'date')
  return ({ meta }) => {
    const ms = Date.parse(meta?.lastUpdated ?? '')
    // An instant, as the store's own clock gives it: a range of one millisecond.
    return !Number.isNaN(ms) && dates.some((date) => isInDate({ low: ms, high: ms + 1 }, date))
  }
}
