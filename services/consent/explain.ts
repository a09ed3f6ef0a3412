import { unreachable } from '../../packages/faults/fault.ts'
import { letterOf, type AccessRequest } from './access-request.ts'
import { checkCandidates, type CheckedRecord } from './checks.ts'
import { decide, type Decision } from './decide.ts'
import type { ImplicitPolicy } from './implicit-policy.ts'
import type { DecidingRecord } from './record/consent-record.ts'

interface Explanation {
  readonly decision: Decision
  /** Every record that was looked at, with all its checks. */
  readonly candidates: readonly CheckedRecord[]
  /** Single changes that would turn the decision round, each tried out. */
  readonly counterfactuals: readonly string[]
}

/** Why a decision is what it is, and what would have to be otherwise: for the person who asks. */
export function explain(
  records: readonly DecidingRecord[],
  request: AccessRequest,
  date: string,
  implicitPolicy: ImplicitPolicy = 'deny',
): Explanation {
  const decision = decide(records, request, date, implicitPolicy)
  const candidates = checkCandidates(records, request, date)
  const turns = ({ replaced, by }: Change) => {
    const changed = records.filter((record) => record !== replaced)
    return decide([...changed, by], request, date, implicitPolicy).permitted !== decision.permitted
  }
  const counterfactuals = candidates.flatMap((candidate) => changesOf(candidate, request)).filter(turns)
  return { decision, candidates, counterfactuals: counterfactuals.map(({ words }) => words) }
}

interface Change {
  readonly words: string
  readonly replaced: DecidingRecord
  readonly by: DecidingRecord
}

/** A record that holds could be revoked; one that fails a check could pass it. */
function changesOf({ record, checks }: CheckedRecord, request: AccessRequest): Change[] {
  const change = (words: string, by: Partial<DecidingRecord>): Change => ({
    words: `If consent record ${record.id} (${record.provisionType}) ${words}`,
    replaced: record,
    by: { ...record, ...by },
  })
  const letter = letterOf[request.operation]
  const changes = checks.map(({ name, passed }) => {
    switch (name) {
      case 'provision type':
        return undefined
      case 'resource class':
        return passed ? undefined : change(`covered ${request.resourceType}`, { resourceClasses: [] })
      case 'operation':
        return passed
          ? undefined
          : change(`covered ${request.operation} (${letter})`, { scopeValues: [], permittedOperations: 'cruds' })
      case 'status':
        return passed ? change('were revoked', { status: 'inactive' }) : change('were active', { status: 'active' })
      case 'period':
        return passed ? undefined : change('covered the day', { periodStart: null, periodEnd: null })
      case 'purpose':
        return passed ? undefined : change('were for any purpose', { purposes: [] })
      default:
        return unreachable(name)
    }
  })
  return changes.filter((one) => one !== undefined)
}
