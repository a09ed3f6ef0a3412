import type { Clock } from '../../packages/clock/clock.ts'
import { faultOf, unavailable } from '../../packages/faults/fault.ts'
import type { Log } from '../../packages/log/log.ts'
import type { GateDecision, Referral } from './referral.ts'

/** May this be read, for treatment, by the facility that a referral goes to? */
export interface ConsentQuestion {
  readonly patientId: string
  /** The receiver under every name it has; a consent for any of them counts. */
  readonly actors: readonly string[]
  readonly resourceType: string
}

export interface ConsentAnswer {
  readonly permitted: boolean
  readonly reason?: string | null
  readonly consentRecordId?: number | null
  readonly decisionId?: string | null
}

export type EvaluateConsent = (
  question: ConsentQuestion,
  options: { readonly signal: AbortSignal },
) => Promise<ConsentAnswer>

export interface GateCheck extends GateDecision {
  readonly reason: string | null
}

export interface GateResult {
  readonly passes: boolean
  /** One a shared type, in the order in which the referral names them. */
  readonly checks: readonly GateCheck[]
}

export interface GateDeps {
  readonly evaluateConsent: EvaluateConsent
  readonly clock: Clock
  readonly log: Log
}

/** The specification's consent check, closed unless every type was permitted within this time. */
export const gateDeadlineMs = 3_000

type Shared = Pick<Referral, 'patientId' | 'sharedResourceTypes' | 'receivingFacilityClientId' | 'performerId'>

/** Asks about every shared type, so that one answer can name all that stand in the way. Never throws. */
export async function askConsentGate(shared: Shared, deps: GateDeps): Promise<GateResult> {
  const { patientId, receivingFacilityClientId, performerId } = shared
  const actors = [`Device/${receivingFacilityClientId}`, ...(performerId === null ? [] : [performerId])]
  using deadline = deps.clock.deadline(gateDeadlineMs, unavailable('The consent service is too slow.'))
  const checks = await Promise.all(
    [...new Set(shared.sharedResourceTypes)].map((resourceType) =>
      check({ patientId, actors, resourceType }, deadline.signal, deps),
    ),
  )
  return { passes: checks.every(({ outcome }) => outcome === 'PERMITTED'), checks }
}

/** What the history keeps: a reason can quote a consent record, the ids lead to it. */
export function decisionsOf({ checks }: GateResult): GateDecision[] {
  return checks.map(({ reason: _reason, ...decision }) => decision)
}

async function check(question: ConsentQuestion, signal: AbortSignal, deps: GateDeps): Promise<GateCheck> {
  const { resourceType } = question
  try {
    const answer: unknown = await beforeAbort(deps.evaluateConsent(question, { signal }), signal)
    if (!isAnswer(answer)) throw unavailable('The consent service gave an answer that cannot be used.')
    return {
      resourceType,
      outcome: answer.permitted ? 'PERMITTED' : 'REFUSED',
      reason: answer.reason ?? null,
      consentRecordId: answer.consentRecordId ?? null,
      decisionId: answer.decisionId ?? null,
    }
  } catch (thrown) {
    const { kind, message, logged } = faultOf(thrown)
    deps.log.warn('consent could not be verified', {
      dependency: 'consent-service',
      faultKind: kind,
      // The message of what is no fault of ours could quote the answer.
      ...(kind === 'bug' ? {} : { error: logged ?? message }),
    })
    return { resourceType, outcome: 'UNVERIFIED', reason: null, consentRecordId: null, decisionId: null }
  }
}

/** An evaluation that does not listen to its signal is not waited for. */
async function beforeAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Only a clear `true` opens the gate, whatever else an implementation hands over. */
const isAnswer = (answer: unknown): answer is ConsentAnswer =>
  typeof answer === 'object' && answer !== null && 'permitted' in answer && typeof answer.permitted === 'boolean'
