import { beforeAbort } from '../../packages/clock/before-abort.ts'
import type { Clock } from '../../packages/clock/clock.ts'
import { assert, faultOf, unavailable } from '../../packages/faults/fault.ts'
import type { Log } from '../../packages/log/log.ts'
import type { Trace } from '../../packages/http/trace.ts'
import type { Answered, Consent, ConsentAnswer, ConsentContext, ConsentQuestion } from '../../ports/consent/consent.ts'
import type { Facilities } from './facilities.ts'
import type { DocumentCheck, OwnDocuments } from './own-documents.ts'
import type { GateDecision, Referral } from './referral.ts'

export interface GateCheck extends GateDecision {
  readonly reason: string | null
}

export interface GateResult {
  readonly passes: boolean
  /** One a shared type, in the order in which the referral names them. */
  readonly checks: readonly GateCheck[]
  /** One a document that goes along and is kept by this platform. */
  readonly documents: readonly DocumentCheck[]
}

export interface GateDeps {
  readonly consent: Consent
  readonly facilities: Pick<Facilities, 'organisationOf'>
  readonly ownDocuments: OwnDocuments
  readonly formerIdsOf: (patientId: string) => Promise<readonly string[]>
  readonly clock: Clock
  readonly log: Log
}

/** The specification's consent check, closed unless every type was permitted within this time. */
export const gateDeadlineMs = 3_000

/** What the gate is asked about. */
export type Shared = Pick<
  Referral,
  'patientId' | 'sharedResourceTypes' | 'supportingInfo' | 'receivingFacilityClientId' | 'performerId'
>

/**
 * Asks about every shared type and document, so that one answer can name all that stand in the way. Throws only where the
 * own database does. Of somebody who was merged it asks under every id: the consent service may not have heard of it yet.
 */
export async function askConsentGate(shared: Shared, deps: GateDeps, trace?: Trace): Promise<GateResult> {
  const { patientId } = shared
  const actorReferences = receiverNames(shared, deps.facilities)
  const common = { actorReferences, fhirOperation: 'READ', purposeOfUse: 'TREATMENT' } as const
  using deadline = deps.clock.deadline(gateDeadlineMs, () => unavailable('The gate was not answered in time.'))
  const asking = { signal: deadline.signal, ...(trace === undefined ? {} : { trace }) }
  const types = [...new Set(shared.sharedResourceTypes)]
  const formerIds = await deps.formerIdsOf(patientId)
  const [documents, ...checks] = await Promise.all([
    shared.supportingInfo.length === 0 ? [] : deps.ownDocuments({ ...shared, formerIds }, deadline.signal),
    ...types.map(async (resourceType) => {
      const ids = [patientId, ...formerIds]
      return ofPerson(
        await Promise.all(ids.map((id) => check({ ...common, patientId: id, resourceType }, asking, deps))),
      )
    }),
  ])
  const passes = checks.every(({ outcome }) => outcome === 'PERMITTED') && documents.every(mayGo)
  return { passes, checks, documents }
}

/**
 * The receiver under every name it has: a consent for any of them counts, a refusal of any of them, too. Its organisation
 * finds the referral in its inbox whether or not it is the performer, so a patient who refused it has refused this.
 */
function receiverNames(
  { receivingFacilityClientId, performerId }: Shared,
  { organisationOf }: GateDeps['facilities'],
): readonly string[] {
  const organisation = organisationOf(receivingFacilityClientId)
  return [...new Set([`Device/${receivingFacilityClientId}`, performerId ?? organisation, organisation])]
}

/**
 * What one id refuses is refused; otherwise one that permits is enough, unless another may have refused. The silence of
 * an id under which nobody recorded anything is no answer, and only where all are silent it is a no.
 */
function ofPerson(answers: readonly IdAnswer[]): GateCheck {
  const [first] = (['DENY', 'UNVERIFIED', 'PERMIT', 'NO_CONSENT'] as const).flatMap((said) =>
    answers.filter((one) => one.said === said),
  )
  assert(first !== undefined, 'a type was asked about under no id')
  return first.check
}

/** What the consent service says of one id. */
interface IdAnswer {
  readonly said: Answered['outcome'] | 'UNVERIFIED'
  readonly check: GateCheck
}

const mayGo = ({ outcome }: DocumentCheck) => outcome === 'PERMITTED' || outcome === 'NOT_FOUND'

/** What the history keeps: a reason can quote a consent record, the ids lead to it. */
export function decisionsOf({ checks }: GateResult): GateDecision[] {
  return checks.map(({ reason: _reason, ...decision }) => decision)
}

interface Asking extends ConsentContext {
  readonly signal: AbortSignal
}

async function check(question: ConsentQuestion, asking: Asking, deps: GateDeps): Promise<IdAnswer> {
  const { resourceType } = question
  try {
    const answer = await beforeAbort(deps.consent.evaluate(question, asking), asking.signal)
    if (isAnswered(answer)) {
      const { permitted, reason, consentRecordId, decisionId } = answer
      const outcome = permitted ? 'PERMITTED' : 'REFUSED'
      return { said: saidIn(answer), check: { resourceType, outcome, reason, consentRecordId, decisionId } }
    }
    throw answer?.fault ?? unavailable('The consent service gave an answer that cannot be used.')
  } catch (thrown) {
    const { kind, message, logged } = faultOf(thrown)
    deps.log.warn('consent could not be verified', {
      dependency: 'consent-service',
      faultKind: kind,
      // The message of what is no fault of ours could quote the answer.
      ...(kind === 'bug' ? {} : { error: logged ?? message }),
    })
    const outcome = 'UNVERIFIED'
    return { said: outcome, check: { resourceType, outcome, reason: null, consentRecordId: null, decisionId: null } }
  }
}

/** What is no yes and does not say that it is silence is a refusal. */
function saidIn({ permitted, outcome }: Answered): Answered['outcome'] {
  if (permitted) return 'PERMIT'
  return outcome === 'NO_CONSENT' ? outcome : 'DENY'
}

/** Only a clear yes or no counts, whatever an implementation hands over. */
const isAnswered = (answer: ConsentAnswer | undefined): answer is Answered =>
  answer?.is === 'answered' && typeof answer.permitted === 'boolean'
