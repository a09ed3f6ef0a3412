import { Fault } from '../../../packages/faults/fault.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { AccessConditions } from '../scopes/access.ts'
import type { Condition } from './ast.ts'
import { parseCondition } from './parse/condition.ts'
import type { ParseContext } from './parse/parse-context.ts'
import { pairsOf } from './parse/query-text.ts'
import { noSets } from './sql/found-sets.ts'
import { noCodes } from './resolve-codes.ts'
import { holds } from './sql/condition.ts'
import { allHold } from './sql/lookup.ts'
import type { GranularCondition, SqlContext } from './sql/sql-context.ts'

/**
 * Conditions of granular scopes. One that is not wholly understood opens nothing. That goes for chains and `_has` too:
 * whether a resource may be seen must not hang on resources that may not; and for what needs a terminology.
 */
export function granularConditions(
  context: ParseContext,
  basis: Pick<SqlContext, 'definitions' | 'allTypes'>,
): GranularCondition {
  const sqlContext: SqlContext = {
    ...basis,
    access: noAccess,
    codes: noCodes,
    sets: noSets,
    granular: () => sql`false`,
  }
  return (type, query) => {
    const conditions = readConditions(type, query, context)
    return conditions === undefined || conditions.length === 0
      ? sql`false`
      : allHold(conditions.map((condition) => holds(condition, [type], sqlContext)))
  }
}

const noAccess: AccessConditions = { of: () => 'none' }

function readConditions(type: string, query: string, context: ParseContext): Condition[] | undefined {
  try {
    const conditions = pairsOf(query).map(([name, value]) => parseCondition([type], name, value, context))
    return conditions.every(isPlain) ? conditions : undefined
  } catch (thrown) {
    if (thrown instanceof Fault) return undefined
    throw thrown
  }
}

function isPlain(condition: Condition): boolean {
  if (condition.kind === 'missing') return true
  return condition.kind === 'match' && condition.anyOf.every(({ kind }) => kind !== 'codes')
}
