import { hash } from 'node:crypto'
import { named, type Statement } from '../../../../packages/sql/sql.ts'
import type { Search } from '../ast.ts'
import type { AccessConditions } from '../../scopes/access.ts'

/**
 * Prepares the searches that are made most, by one identifier or one id: planning them costs more than running them.
 * They are single-key look-ups whose plan is the same for every value; all others are planned each time, because what
 * is best depends on how frequent a value is (packages/sql, "the planner trap").
 */
export const preparedIfSimple = (statement: Statement, search: SearchedFor, access: AccessConditions): Statement =>
  isSimple(search, access) ? named(`fhir-search-${hash('sha256', statement.text).slice(0, 16)}`, statement) : statement

type SearchedFor = Pick<Search, 'branches' | 'sort' | 'cursor'>

/** One identifier or one id of one type, by who may search all of them. */
export function isSimple({ branches, sort, cursor }: SearchedFor, access: AccessConditions): boolean {
  const [branch, ...others] = branches
  const [type, ...otherTypes] = branch?.types ?? []
  const [condition, ...otherConditions] = branch?.conditions ?? []
  return (
    others.length + otherTypes.length + otherConditions.length + sort.length === 0 &&
    cursor === undefined &&
    condition?.kind === 'match' &&
    !condition.negated &&
    condition.anyOf.length === 1 &&
    condition.anyOf[0]?.kind === 'token' &&
    condition.anyOf[0].code !== undefined &&
    (condition.parameter.code === 'identifier' || condition.parameter.code === '_id') &&
    type !== undefined &&
    access.of(type, 's') === 'unrestricted'
  )
}
