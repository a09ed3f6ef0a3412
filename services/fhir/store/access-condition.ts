import { joined, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { AccessConditions, Bound, Right, TypeAccess } from '../scopes/access.ts'
import type { SearchEngine } from '../search/engine.ts'
import { resourceKey } from './keys.ts'

type Conditions = Pick<SearchEngine, 'condition'>

/** What a caller may reach, as a condition on the row `r` of `fhir.resources`, known to be of the type. */
export function accessCondition(access: TypeAccess, type: string, engine: Conditions): Statement {
  if (typeof access === 'string') return access === 'unrestricted' ? sql`true` : sql`false`
  const patient = access[0]?.patient
  if (patient === undefined || !access.every((bound) => bound.patient === patient)) {
    return anyOf(access, (bound) => boundParts(bound, type, engine))
  }
  // Of several granular scopes of one patient the patient is said once, outside the "or": that is what finds fewest.
  const others = access.map(({ patient: _said, ...rest }) => rest)
  if (others.some((bound) => boundParts(bound, type, engine).length === 0)) return isInCompartment(patient)
  return sql`${isInCompartment(patient)} and ${anyOf(others, (bound) => boundParts(bound, type, engine))}`
}

const boundParts = ({ patient, onlyPatient, id, query }: Bound, type: string, engine: Conditions): Statement[] => [
  ...(patient === undefined ? [] : [isInCompartment(patient)]),
  ...(onlyPatient === undefined ? [] : [isNobodyElses(onlyPatient)]),
  ...(id === undefined ? [] : [sql`r.key = ${resourceKey(type, id)}`]),
  ...(query === undefined ? [] : [engine.condition(type, query)]),
]

export const isInCompartment = (patientId: string): Statement =>
  sql`exists (select from fhir.compartments c where c.key = r.key and c.patient = ${resourceKey('Patient', patientId)})`

/**
 * The same over a row `v` of `fhir.versions` whose resource is `r`: a version that belonged to another patient stays
 * out though its successor is within reach.
 */
export function versionCondition(access: TypeAccess, type: string, engine: Conditions): Statement {
  return anyOf(access, (bound) => [
    ...(bound.patient === undefined ? [] : [sql`${resourceKey('Patient', bound.patient)}::bigint = any (v.patients)`]),
    ...(bound.onlyPatient === undefined
      ? []
      : [sql`v.patients <@ array[${resourceKey('Patient', bound.onlyPatient)}]::bigint[]`]),
    ...(bound.id === undefined ? [] : [sql`v.key = ${resourceKey(type, bound.id)}::bigint and v.id = ${bound.id}`]),
    // Only what is current is indexed: an older version cannot be held against a query, and of what was deleted nothing
    // is left, which `:not` and `:missing` would find.
    ...(bound.query === undefined
      ? []
      : [sql`v.version = r.version and not r.deleted`, engine.condition(type, bound.query)]),
  ])
}

/** The resource `r` is in the compartment of no patient but this one. */
const isNobodyElses = (patient: string): Statement =>
  sql`not exists (select 1 from fhir.compartments as other
                  where other.key = r.key and other.patient <> ${resourceKey('Patient', patient)}::bigint)`

export const isUnrestricted = (access: AccessConditions, type: string, right: Right): boolean =>
  access.of(type, right) === 'unrestricted'

/** The caller may do everything with resources of the type. */
export const isOpen = (access: AccessConditions, type: string): boolean =>
  (['c', 'u', 'd', 's'] as const).every((right) => isUnrestricted(access, type, right))

function anyOf(access: TypeAccess, conditionsOf: (bound: Bound) => Statement[]): Statement {
  if (access === 'unrestricted') return sql`true`
  if (access === 'none') return sql`false`
  // A bound that bounds nothing is a mistake, and a mistake opens nothing.
  const bounds = access.map(conditionsOf).filter((conditions) => conditions.length > 0)
  if (bounds.length === 0) return sql`false`
  return sql`(${joined(
    bounds.map((conditions) => sql`(${joined(conditions, 'and')})`),
    'or',
  )})`
}
