import { letterOf, type AccessRequest } from './access-request.ts'
import { checkCandidates, checkNames, type Check, type CheckedRecord } from './checks.ts'
import { permitsImplicitly, type ImplicitPolicy } from './implicit-policy.ts'
import type { DecidingRecord, ProvisionType } from './record/consent-record.ts'

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
  const candidates = checkCandidates(records, request, date)
  const matching = candidates.filter(({ passed }) => passed === checkNames.length)
  const deciding = mostTelling(matching.filter(isDeny)) ?? mostTelling(matching.filter(isPermit))
  if (deciding !== undefined) return byRecord(deciding)
  return withoutRecord(nearest(candidates.filter(isPermit)), request, implicitPolicy)
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
