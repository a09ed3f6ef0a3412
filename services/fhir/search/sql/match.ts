import { unreachable } from '../../../../packages/faults/fault.ts'
import type { SearchParameter } from '../../../../packages/fhir/definitions.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { Match, Missing, Sought, SoughtDate } from '../ast.ts'
import { resourceKey, type Key } from '../../store/keys.ts'
import { wholeText } from '../../store/indexed-text.ts'
import { allHold, anyHolds, isFound, isNotFound, type IndexTable, type Lookup } from './lookup.ts'
import { isComposite } from './rows/composites.ts'
import { isDate, isUpdated } from './rows/dates.ts'
import { isNumber, isQuantity } from './rows/quantities.ts'
import { referenceLookups } from './rows/references.ts'
import { isString } from './rows/strings.ts'
import { isToken } from './rows/tokens.ts'
import { isUri } from './rows/uris.ts'
import type { SqlContext } from './sql-context.ts'

/** The condition that `r`, of one of these types, has one of the sought values (or, negated, has none of them). */
export function matches(match: Match, types: readonly string[], context: SqlContext): Statement {
  const { parameter, negated, anyOf } = match
  if (parameter.code === '_id') return hasId(anyOf, types, negated)
  if (parameter.code === '_lastUpdated') return anyHolds(anyOf.filter(isSoughtDate).map(isUpdated))
  const sets = context.sets(match, types)
  if (sets !== undefined) return hasOneOf(sets)
  const lookups = lookupsOf(match, context)
  return negated ? isNotFound(lookups, types, parameter.code) : isFound(lookups, types, parameter.code)
}

/**
 * One of these keys is that of its rows. They are named, so that the planner knows how many resources have each: the rare
 * are found by an index and the common met on the way from the newest.
 */
const hasOneOf = (keys: readonly Key[]): Statement =>
  sql`(r.shared_key = any(${keys}::bigint[]) or r.key = any(${keys}::bigint[]))`

const isSoughtDate = (sought: Sought): sought is SoughtDate => sought.kind === 'date'

/** No index is needed: the key of a resource follows from its type and id. */
function hasId(anyOf: readonly Sought[], types: readonly string[], negated: boolean): Statement {
  const ids = anyOf.flatMap((sought) => (sought.kind === 'token' && sought.code !== undefined ? [sought.code] : []))
  const keys = types.flatMap((type) => ids.map((id) => resourceKey(type, id)))
  if (negated) return sql`r.key <> all(${keys}::bigint[])`
  return keys.length === 1 ? sql`r.key = ${keys[0]}` : sql`r.key = any(${keys}::bigint[])`
}

/** Alternatives of one kind are one look-up. */
export function lookupsOf(
  { parameter, anyOf }: Match,
  { allTypes, codes }: Pick<SqlContext, 'allTypes' | 'codes'>,
): Lookup[] {
  const lookups: Lookup[] = []
  const add = (table: IndexTable, suffix: Lookup['suffix'], predicate: Statement) =>
    lookups.push({ table, suffix, predicate })
  const byKind: ReadonlyMap<Sought['kind'], readonly Sought[]> = Map.groupBy(anyOf, (one) => one.kind)
  for (const [kind, sought] of byKind) {
    const of = <Kind extends Sought['kind']>(_kind: Kind) => sought as readonly Extract<Sought, { kind: Kind }>[]
    switch (kind) {
      case 'token':
        add('tokens', '', isToken(of(kind)))
        break
      case 'codes':
        add('tokens', '', isToken(of(kind).flatMap(codes)))
        break
      case 'token-text':
        add('tokens', '', anyHolds(of(kind).map(({ folded }) => sql`starts_with(x.text, ${folded})`)))
        break
      case 'token-of-type': {
        const types = of(kind).map(({ system, code, value }) => ({ system, code: wholeText(`${code}|${value}`) }))
        add('tokens', ':of-type', isToken(types))
        break
      }
      case 'string':
        add('strings', '', anyHolds(of(kind).map(isString)))
        break
      case 'date':
        add('dates', '', anyHolds(of(kind).map((date) => isDate(date, sql`x.low`, sql`x.high`))))
        break
      case 'number':
        add('quantities', '', anyHolds(of(kind).map(isNumber)))
        break
      case 'quantity':
        add('quantities', '', anyHolds(of(kind).map(isQuantity)))
        break
      case 'reference':
        lookups.push(...referenceLookups(of(kind), parameter, allTypes))
        break
      case 'reference-identifier':
        add('tokens', ':identifier', isToken(of(kind).map(({ identifier }) => identifier)))
        break
      case 'uri':
        add('uris', '', anyHolds(of(kind).map(isUri)))
        break
      case 'composite':
        add('composites', '', anyHolds(of(kind).map((each) => isComposite(each, parameter, allTypes))))
        break
      default:
        return unreachable(kind)
    }
  }
  return lookups
}

export function isMissing({ parameter, isMissing: missing }: Missing, types: readonly string[]): Statement {
  const lookups = lookupsOfAny(parameter)
  return missing ? isNotFound(lookups, types, parameter.code) : isFound(lookups, types, parameter.code)
}

/**
 * The conditions of which one holds where something is there, and never two: an `or` over them the planner could not
 * begin with, and would hold against every resource.
 */
export function waysToBeThere({ parameter }: Missing, types: readonly string[]): Statement[] {
  const lookups = lookupsOfAny(parameter)
  return lookups.map((lookup, at) =>
    allHold([
      isFound([lookup], types, parameter.code),
      ...(at === 0 ? [] : [isNotFound(lookups.slice(0, at), types, parameter.code)]),
    ]),
  )
}

/** All rows of a parameter. A reference that is only an identifier has one among the tokens, and is there all the same. */
export function lookupsOfAny({ type }: SearchParameter): Lookup[] {
  const table = tableOf[type]
  if (table === undefined) return []
  const own: Lookup = { table, suffix: '', predicate: sql`true` }
  return type === 'reference' ? [own, { table: 'tokens', suffix: ':identifier', predicate: sql`true` }] : [own]
}

const tableOf = {
  token: 'tokens',
  string: 'strings',
  date: 'dates',
  reference: 'reference_values',
  number: 'quantities',
  quantity: 'quantities',
  uri: 'uris',
  composite: 'composites',
  special: undefined,
} as const
