import { joined, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { AccessConditions, Bound, Right, TypeAccess } from '../scopes/access.ts'
import type { SearchEngine } from '../search/engine.ts'
import { resourceKey } from './keys.ts'

type Conditions = Pick<SearchEngine, 'condition'>

/** What a caller may reach, as a condition on the row `r` of `fhir.resources`, known to be of the type. */
export function accessCondition(access: TypeAccess, type: string, engine: Conditions): Statement {
  return anyOf(access, (bound) => [
    ...patientCondition(
      bound,
      (patient) => sql`exists (select 1 from fhir.compartments as member
                               where member.key = r.key and member.patient = ${patient}::bigint)`,
    ),
    ...(bound.onlyPatient === undefined ? [] : [isNobodyElses(bound.onlyPatient)]),
    ...(bound.id === undefined ? [] : [sql`r.id = ${bound.id}`]),
    ...(bound.query === undefined ? [] : [engine.condition(type, bound.query)]),
  ])
}

/**
 * The same over a row `v` of `fhir.versions` whose resource is `r`: a version that belonged to another patient stays
 * out though its successor is within reach.
 */
export function versionCondition(access: TypeAccess, type: string, engine: Conditions): Statement {
  return anyOf(access, (bound) => [
    ...patientCondition(bound, (patient) => sql`${patient}::bigint = any (v.patients)`),
    ...(bound.onlyPatient === undefined
      ? []
      : [sql`v.patients <@ array[${resourceKey('Patient', bound.onlyPatient)}]::bigint[]`]),
    ...(bound.id === undefined ? [] : [sql`v.id = ${bound.id}`]),
    // Only current resources are indexed, so an older version cannot be held against a query.
    ...(bound.query === undefined ? [] : [sql`v.version = r.version`, engine.condition(type, bound.query)]),
  ])
}

/** The resource `r` is in the compartment of no patient but this one. */
export const isNobodyElses = (patient: string): Statement =>
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

const patientCondition = ({ patient }: Bound, condition: (key: string) => Statement): Statement[] =>
  patient === undefined ? [] : [condition(resourceKey('Patient', patient))]
