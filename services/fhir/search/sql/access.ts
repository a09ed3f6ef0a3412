import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { Bound, Right, TypeAccess } from '../../scopes/access.ts'
import { isNobodyElses } from '../../store/access-condition.ts'
import { resourceKey } from '../../store/keys.ts'
import { allHold, anyHolds } from './lookup.ts'
import type { GranularCondition, SqlContext } from './sql-context.ts'

/** The condition that the caller may reach `r`, a resource of this type; undefined where it may reach them all. */
export function isReachable(
  type: string,
  right: Right,
  { access, granular }: Pick<SqlContext, 'access' | 'granular'>,
): Statement | undefined {
  const given = access.of(type, right)
  if (given === 'unrestricted') return undefined
  if (given === 'none') return sql`false`
  return isWithin(type, given, granular)
}

/** Of several granular scopes of one patient the patient is said once, outside the "or": that is what finds fewest. */
function isWithin(type: string, bounds: readonly Bound[], granular: GranularCondition): Statement {
  const [first] = bounds
  const patient = first?.patient
  if (patient === undefined || !bounds.every((bound) => bound.patient === patient)) {
    return anyHolds(bounds.map((bound) => isBound(boundParts(type, bound, granular))))
  }
  const others = bounds.map(({ patient: _said, ...rest }) => boundParts(type, rest, granular))
  if (others.some((parts) => parts.length === 0)) return isInCompartment(patient)
  return sql`${isInCompartment(patient)} and ${anyHolds(others.map(isBound))}`
}

function boundParts(
  type: string,
  { patient, onlyPatient, id, query }: Bound,
  granular: GranularCondition,
): Statement[] {
  return [
    ...(patient === undefined ? [] : [isInCompartment(patient)]),
    ...(onlyPatient === undefined ? [] : [isNobodyElses(onlyPatient)]),
    ...(id === undefined ? [] : [sql`r.key = ${resourceKey(type, id)}`]),
    ...(query === undefined ? [] : [granular(type, query)]),
  ]
}

/** A bound that bounds nothing is a mistake, and a mistake opens nothing. */
const isBound = (parts: readonly Statement[]): Statement => (parts.length === 0 ? sql`false` : sql`(${allHold(parts)})`)

export const isInCompartment = (patientId: string): Statement =>
  sql`exists (select from fhir.compartments c where c.key = r.key and c.patient = ${resourceKey('Patient', patientId)})`

export interface AccessGroup {
  readonly types: readonly string[]
  /** Undefined: all of them may be reached. */
  readonly condition: Statement | undefined
}

/** The types that may be reached at all, together where the same condition holds for them. */
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
  if (given === 'unrestricted' || given === 'none') return given
  const isShared = given.every(({ query, id }) => query === undefined && id === undefined)
  return `${isShared ? '' : type} ${JSON.stringify(given)}`
}
