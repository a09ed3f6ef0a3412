import { bug } from '../../../../packages/faults/fault.ts'
import { joined, sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { IndexKind } from '../../store/index-kinds.ts'
import { indexTable } from '../../store/index-tables.ts'
import { parameterKey } from '../../store/keys.ts'
import { sharedParameters } from '../../store/shared-parameters.ts'

/** Rows of one index table, under one parameter, that satisfy a predicate. The row is `x` in it. */
export interface Lookup {
  readonly table: IndexTable
  /** Behind the code, where the rows are derived from the parameter's own: `:identifier`, `:of-type`, `:version`. */
  readonly suffix: '' | ':identifier' | ':of-type' | ':version'
  readonly predicate: Statement
}

export type IndexTable = Exclude<IndexKind, 'compartments'>

/**
 * The resource `r` has such a row. Every condition in this folder speaks of the nearest `r`, a row of fhir.resources:
 * so conditions nest to any depth without names of their own. As `exists` and not as `in`: the planner turns either
 * around and begins with whichever finds fewest, but inside an "or" it would collect all that an `in` selects.
 */
export const isFound = (lookups: readonly Lookup[], types: readonly string[], code: string): Statement =>
  anyHolds(lookups.map((lookup) => sql`exists (${rowsOf(lookup, types, code)})`))

export const isNotFound = (lookups: readonly Lookup[], types: readonly string[], code: string): Statement =>
  allHold(lookups.map((lookup) => sql`not exists (${rowsOf(lookup, types, code)})`))

function rowsOf({ table, suffix, predicate }: Lookup, types: readonly string[], code: string): Statement {
  const name = `${code}${suffix}`
  const ofParameter = sql`x.key = ${indexKey(types, name)} and ${isParameter(types, name)}`
  if (!isShared(types, name)) return sql`select from ${indexTable(table)} x where ${ofParameter} and (${predicate})`
  // By its key, for each resource: of the few rows of sets among all the others the planner knows nothing, and would go
  // through all that match the predicate, for each resource again.
  return sql`select from (select x.* from ${indexTable(table)} x where ${ofParameter} offset 0) x where ${predicate}`
}

/** The keys of all such rows. */
export const rowKeys = ({ table, suffix, predicate }: Lookup, types: readonly string[], code: string): Statement =>
  sql`select x.key from ${indexTable(table)} x where ${isParameter(types, `${code}${suffix}`)} and (${predicate})`

/** Under which key `r`, of one of these types, has its rows of a parameter: its own, or that of a set (store/README.md). */
export const indexKey = (types: readonly string[], name: string): Statement =>
  isShared(types, name) ? sql`coalesce(r.shared_key, r.key)` : sql`r.key`

/** Types that share values are always searched by themselves, so all of these do or none does. */
export function isShared(types: readonly string[], name: string): boolean {
  const sharing = types.filter((type) => sharedParameters(type).has(name))
  if (sharing.length === 0) return false
  if (sharing.length < types.length) throw bug(`${name} is searched in types that share its values and others at once`)
  return true
}

/** The row `x` belongs to the parameter with this code of one of the types. */
export function isParameter(types: readonly string[], code: string): Statement {
  const params = types.map((type) => parameterKey(type, code))
  return params.length === 1 ? sql`x.param = ${params[0]}` : sql`x.param = any(${params}::int[])`
}

export function unionAll(selects: readonly Statement[]): Statement {
  return selects.reduce((all, select) => sql`${all} union all ${select}`)
}

export const anyHolds = (predicates: readonly Statement[]): Statement =>
  predicates.length === 0
    ? sql`false`
    : predicates.length === 1
      ? sql`${predicates[0]}`
      : sql`(${joined(predicates, 'or')})`

export const allHold = (predicates: readonly Statement[]): Statement =>
  predicates.length === 0 ? sql`true` : joined(predicates, 'and')
