import type { Fault } from '../../packages/faults/fault.ts'
import type { Trace } from '../../packages/http/trace.ts'

/** What the bridge and the referral service ask before every step: may this actor do this with this patient's data? */
export interface Consent {
  /** Never rejects: a question that got no answer is answered no. */
  evaluate(question: ConsentQuestion, context?: ConsentContext): Promise<ConsentAnswer>
}

export interface ConsentQuestion {
  /** `Patient/<id>` or the bare id. */
  readonly patientId: string
  /** `Device/<id>` or `Organization/<id>`; several where the party is known by several. */
  readonly actorReferences: readonly string[]
  readonly resourceType: string
  readonly fhirOperation: 'READ' | 'SEARCH' | 'CREATE' | 'UPDATE' | 'DELETE'
  /** Treatment unless said. */
  readonly purposeOfUse?: string
}

export interface ConsentContext {
  /** Ends the call early, when whoever wanted the answer has gone. */
  readonly signal?: AbortSignal
  readonly trace?: Trace
}

/** Whoever looks at `permitted` alone is safe: unknown means no. */
export type ConsentAnswer = Answered | Unanswered

export interface Answered {
  readonly is: 'answered'
  readonly permitted: boolean
  /** `NO_CONSENT`: no record refuses it, and none permits it. */
  readonly outcome: 'PERMIT' | 'DENY' | 'NO_CONSENT'
  /** The five checks and the verdict. */
  readonly reason: string
  readonly consentRecordId: number | null
  /** Finds the decision in the audit trail of the consent service. */
  readonly decisionId: string | null
}

/** The consent service could not be reached, was too slow, or gave no usable answer. Asking again later may help. */
export interface Unanswered {
  readonly is: 'unanswered'
  readonly permitted: false
  readonly reason: string
  readonly fault: Fault
}
