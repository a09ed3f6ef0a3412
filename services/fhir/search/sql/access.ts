import type { Statement } from '../../../../packages/sql/sql.ts'
import type { Right, TypeAccess } from '../../scopes/access.ts'
import { accessCondition } from '../../store/access-condition.ts'
import { sharesValues } from '../../store/shared-parameters.ts'
import type { SqlContext } from './sql-context.ts'

/** The condition that the caller may reach `r`, a resource of this type; undefined where it may reach them all. */
export function isReachable(
  type: string,
  right: Right,
  { access, granular }: Pick<SqlContext, 'access' | 'granular'>,
): Statement | undefined {
  const given = access.of(type, right)
  return given === 'unrestricted' ? undefined : accessCondition(given, type, { condition: granular })
}

export interface AccessGroup {
  readonly types: readonly string[]
  /** Undefined: all of them may be reached. */
  readonly condition: Statement | undefined
}

/** The types that may be reached at all, together where the same condition holds for them and rows are found alike. */
export function groupByAccess(
  types: Iterable<string>,
  right: Right,
  context: Pick<SqlContext, 'access' | 'granular'>,
): AccessGroup[] {
  const groups = new Map<string, string[]>()
  for (const type of types) {
    const given = context.access.of(type, right)
    if (given === 'none' || given.length === 0) continue
    const key = groupKey(type, given)
    groups.set(key, [...(groups.get(key) ?? []), type])
  }
  return [...groups.values()].map((group) => ({
    types: group,
    condition: isReachable(group[0] ?? '', right, context),
  }))
}

/** A query and an id mean something else for every type; a patient means the same. */
function groupKey(type: string, given: TypeAccess): string {
  const isAlike =
    !sharesValues(type) &&
    (typeof given === 'string' || given.every(({ query, id }) => query === undefined && id === undefined))
  return `${isAlike ? '' : type} ${JSON.stringify(given)}`
}
