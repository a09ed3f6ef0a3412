import { unreachable } from '../../packages/faults/fault.ts'
import { intersectLetters, uniteLetters } from '../../packages/smart/letters.ts'
import { letterOf, type AccessRequest } from './access-request.ts'
import type { DecidingRecord, ProvisionType } from './record/consent-record.ts'
import { resourceScopesOf } from './record/derive.ts'

/** What holds when no record matches; IHE PCF calls it the implicit policy. */
export const implicitPolicies = ['deny', 'break-glass-only', 'permit-treatment', 'permit-all'] as const
export type ImplicitPolicy = (typeof implicitPolicies)[number]

export interface Decision {
  readonly permitted: boolean
  readonly outcome: 'PERMIT' | 'DENY' | 'NO_CONSENT'
  readonly provisionType: ProvisionType
  readonly consentRecordId: number | null
  readonly reason: string
  readonly regulatoryBasis: string | null
}

/** Default deny; any matching deny overrides every permit. A function of its arguments and of nothing else. */
export function decide(
  records: readonly DecidingRecord[],
  request: AccessRequest,
  date: string,
  implicitPolicy: ImplicitPolicy = 'deny',
): Decision {
  const candidates = records
    .filter((record) => isCandidate(record, request))
    .map((record) => check(record, request, date))
  const matching = candidates.filter(({ passed }) => passed === checkNames.length)
  const deciding = mostTelling(matching.filter(isDeny)) ?? mostTelling(matching.filter(isPermit))
  if (deciding !== undefined) return byRecord(deciding)
  return withoutRecord(nearest(candidates.filter(isPermit)), request, implicitPolicy)
}

/**
 * The records that could have a say: those of this patient, and the domain policies; for all actors or one of those
 * asked about; for any purpose or the one asked about.
 */
export function isCandidate(record: DecidingRecord, request: AccessRequest): boolean {
  const concernsPatient = record.patientId === null ? record.isDomainPolicy : record.patientId === request.patientId
  const concernsActor = record.actorReference === null || request.actorReferences.includes(record.actorReference)
  const concernsPurpose = record.purposes.length === 0 || record.purposes.includes(request.purposeOfUse)
  return concernsPatient && concernsActor && concernsPurpose
}

export const checkNames = ['provision type', 'resource class', 'operation', 'status', 'period'] as const

export interface Check {
  readonly name: (typeof checkNames)[number]
  /** In words, without the result: `operation READ (r) not in permitted operations "cud"`. */
  readonly text: string
  readonly passed: boolean
}

export interface CheckedRecord {
  readonly record: DecidingRecord
  readonly checks: readonly Check[]
  /** How many of them passed. */
  readonly passed: number
}

/** The five checks of the specification, in its order. */
export function check(record: DecidingRecord, request: AccessRequest, date: string): CheckedRecord {
  const checks = [
    provisionCheck(record),
    classCheck(record, request),
    operationCheck(record, request),
    statusCheck(record),
    periodCheck(record, date),
  ]
  return { record, checks, passed: checks.filter(({ passed }) => passed).length }
}

const provisionCheck = ({ provisionType }: DecidingRecord): Check => ({
  name: 'provision type',
  text: `provision type ${provisionType}`,
  passed: true,
})

function classCheck({ resourceClasses }: DecidingRecord, { resourceType }: AccessRequest): Check {
  const passed = resourceClasses.length === 0 || resourceClasses.includes(resourceType)
  const text = passed ? resourceType : `${resourceType} not among ${shortList(resourceClasses)}`
  return { name: 'resource class', text: `resource class ${text}`, passed }
}

function operationCheck(record: DecidingRecord, { resourceType, operation }: AccessRequest): Check {
  const effective = effectiveOperations(record, resourceType)
  const passed = effective.includes(letterOf[operation])
  const relation = passed ? 'in' : 'not in'
  const text = `operation ${operation} (${letterOf[operation]}) ${relation} permitted operations "${effective}"`
  return { name: 'operation', text, passed }
}

/**
 * What the record says about one type: the scopes that name it, or else all that the record gives. The request cannot
 * prove that it keeps within a granular scope's query, so such a scope never opens a permit; a deny it widens in full.
 */
export function effectiveOperations(record: DecidingRecord, resourceType: string): string {
  if (record.scopeValues.length === 0) return record.permittedOperations
  const scopes = resourceScopesOf(record.scopeValues)
  const naming = scopes.filter(({ type }) => type === resourceType || type === '*')
  const counting = (naming.length > 0 ? naming : scopes).filter(
    ({ query }) => query === undefined || record.provisionType === 'deny',
  )
  const letters = counting.reduce((all, scope) => uniteLetters(all, scope.letters), '')
  return intersectLetters(letters, record.permittedOperations)
}

const statusCheck = ({ status }: DecidingRecord): Check => ({
  name: 'status',
  text: `status ${status}`,
  passed: status === 'active',
})

/** Both days are inclusive; an open side covers everything on it. */
function periodCheck({ periodStart, periodEnd }: DecidingRecord, date: string): Check {
  const passed = (periodStart === null || periodStart <= date) && (periodEnd === null || date <= periodEnd)
  const start = periodStart === null ? '' : ` from ${periodStart}`
  const end = periodEnd === null ? '' : ` until ${periodEnd}`
  const span = `period${start}${end}` === 'period' ? 'period open' : `period${start}${end}`
  return { name: 'period', text: passed ? span : `${span} does not cover ${date}`, passed }
}

const isDeny = ({ record }: CheckedRecord) => record.provisionType === 'deny'
const isPermit = ({ record }: CheckedRecord) => record.provisionType === 'permit'

/** The record to report: the most specific one, then the one changed last. */
function mostTelling(checked: readonly CheckedRecord[]): CheckedRecord | undefined {
  return checked.toSorted((some, other) => byTellingness(some.record, other.record))[0]
}

/** Of those that did not match, the one that came closest. */
function nearest(checked: readonly CheckedRecord[]): CheckedRecord | undefined {
  const most = Math.max(...checked.map(({ passed }) => passed))
  return mostTelling(checked.filter(({ passed }) => passed === most))
}

function byTellingness(some: DecidingRecord, other: DecidingRecord): number {
  return (
    Number(other.patientId !== null) - Number(some.patientId !== null) ||
    Number(other.actorReference !== null) - Number(some.actorReference !== null) ||
    Number(other.resourceClasses.length > 0) - Number(some.resourceClasses.length > 0) ||
    Number(other.scopeValues.length > 0) - Number(some.scopeValues.length > 0) ||
    other.updatedAt.getTime() - some.updatedAt.getTime() ||
    other.id - some.id
  )
}

function byRecord({ record, checks }: CheckedRecord): Decision {
  const permitted = record.provisionType === 'permit'
  const verdict = `${permitted ? 'permitted' : 'denied'} by consent record ${record.id}`
  return {
    permitted,
    outcome: permitted ? 'PERMIT' : 'DENY',
    provisionType: record.provisionType,
    consentRecordId: record.id,
    reason: reasonOf(checks, verdict),
    regulatoryBasis: record.regulatoryBasis,
  }
}

function withoutRecord(
  near: CheckedRecord | undefined,
  request: AccessRequest,
  implicitPolicy: ImplicitPolicy,
): Decision {
  if (permitsImplicitly(implicitPolicy, request)) {
    const reason = reasonOf(uncheckedOf(request), `permitted without a record by the implicit policy ${implicitPolicy}`)
    return {
      permitted: true,
      outcome: 'PERMIT',
      provisionType: 'permit',
      consentRecordId: null,
      reason,
      regulatoryBasis: null,
    }
  }
  const verdict = 'not permitted, because no consent record permits it'
  return {
    permitted: false,
    outcome: 'NO_CONSENT',
    provisionType: near?.record.provisionType ?? 'deny',
    consentRecordId: near?.record.id ?? null,
    reason:
      near === undefined
        ? reasonOf(uncheckedOf(request), verdict)
        : reasonOf(near.checks, `${verdict}; consent record ${near.record.id} came closest`),
    regulatoryBasis: near?.record.regulatoryBasis ?? null,
  }
}

function permitsImplicitly(policy: ImplicitPolicy, { purposeOfUse }: AccessRequest): boolean {
  switch (policy) {
    case 'deny':
      return false
    case 'break-glass-only':
      return purposeOfUse === 'BTG'
    case 'permit-treatment':
      return purposeOfUse === 'TREAT' || purposeOfUse === 'ETREAT'
    case 'permit-all':
      return true
    default:
      return unreachable(policy)
  }
}

/** The five checks where no record was there to be checked: the reason always names all of them. */
function uncheckedOf({ resourceType, operation }: AccessRequest): readonly Pick<Check, 'text'>[] {
  return [
    { text: 'provision type' },
    { text: `resource class ${resourceType}` },
    { text: `operation ${operation} (${letterOf[operation]}) versus permitted operations` },
    { text: 'status' },
    { text: 'period' },
  ]
}

function reasonOf(checks: readonly (Pick<Check, 'text'> & { readonly passed?: boolean })[], verdict: string): string {
  const parts = checks.map(
    ({ text, passed }) => `${text} – ${passed === undefined ? 'no record' : passed ? 'ok' : 'failed'}`,
  )
  return [...parts, verdict].join('; ')
}

const typesShown = 5

const shortList = (types: readonly string[]) =>
  types.length <= typesShown
    ? types.join(', ')
    : `${types.slice(0, typesShown).join(', ')} and ${types.length - typesShown} more`
