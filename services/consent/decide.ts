import { letterOf, type AccessRequest } from './access-request.ts'
import { checkCandidates, isForPurpose, isMatching, type Check, type CheckedRecord } from './checks.ts'
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
  const matching = candidates.filter(isMatching)
  const deciding = mostTelling(matching.filter(isDeny)) ?? mostTelling(matching.filter(isPermit))
  if (deciding !== undefined) return byRecord(deciding)
  return withoutRecord(candidates, request, implicitPolicy)
}

/**
 * The permit to tell of that is for other purposes than the one asked about. It decides nothing and is not reported as
 * the record of a decision; but that there is one is what whoever asks has to know to ask again, or to have it widened.
 */
export const permitForOtherPurposes = (candidates: readonly CheckedRecord[]): CheckedRecord | undefined =>
  nearest(candidates.filter(isPermit).filter((candidate) => !isForPurpose(candidate)))

const isDeny = ({ record }: CheckedRecord) => record.provisionType === 'deny'
const isPermit = ({ record }: CheckedRecord) => record.provisionType === 'permit'

/** The record to report: the most specific one, then the one changed last. */
function mostTelling(checked: readonly CheckedRecord[]): CheckedRecord | undefined {
  return checked.toSorted((some, other) => byTellingness(some.record, other.record))[0]
}

/** Of those that did not match, the one that came closest. */
function nearest(checked: readonly CheckedRecord[]): CheckedRecord | undefined {
  const fewest = Math.min(...checked.map(failures))
  return mostTelling(checked.filter((candidate) => failures(candidate) === fewest))
}

const failures = ({ checks, passed }: CheckedRecord): number => checks.length - passed

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
  candidates: readonly CheckedRecord[],
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
  const near = nearest(candidates.filter(isPermit).filter(isForPurpose))
  return {
    permitted: false,
    outcome: 'NO_CONSENT',
    provisionType: near?.record.provisionType ?? 'deny',
    consentRecordId: near?.record.id ?? null,
    reason: whyNone(near, permitForOtherPurposes(candidates), request),
    regulatoryBasis: near?.record.regulatoryBasis ?? null,
  }
}

/** Where the record to tell of is for other purposes its checks are told all the same: "no record" would not be true. */
function whyNone(
  near: CheckedRecord | undefined,
  elsewhere: CheckedRecord | undefined,
  request: AccessRequest,
): string {
  const verdict = 'not permitted, because no consent record permits it'
  if (near !== undefined) {
    const closest = `${verdict}; consent record ${near.record.id} came closest`
    const permitsElsewhere = elsewhere !== undefined && failures(elsewhere) === 1
    const other = permitsElsewhere ? `; consent record ${elsewhere.record.id} permits it for other purposes only` : ''
    return reasonOf(near.checks, closest + other)
  }
  return elsewhere === undefined
    ? reasonOf(uncheckedOf(request), verdict)
    : reasonOf(elsewhere.checks, `${verdict}; consent record ${elsewhere.record.id} is for other purposes`)
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
