import { waitAfterAttemptMs, waitAsAskedMs } from '../../../packages/clock/backoff.ts'
import type { Random } from '../../../packages/clock/ids.ts'
import type { RetryRule } from '../pipeline/channel.ts'
import { knownAtReceipt, waitsForPatient, type Failed, type Outcome, type Parked } from '../pipeline/outcome.ts'
import type { LaterStage } from '../pipeline/stage.ts'
import type { SettledWork } from './settling.ts'
import type { Work } from './work.ts'

export interface Conclusion {
  readonly outcome: Outcome
  readonly park: SettledWork['park']
}

/**
 * What a run means for its message: through, parked until a time, or given up because that was its last attempt. A run
 * in which nobody was called is no attempt.
 */
export function conclude(
  ran: Outcome,
  { attempt, attemptLimit, isAcknowledged }: Pick<Work, 'attempt' | 'attemptLimit' | 'isAcknowledged'>,
  rule: RetryRule,
  { now, random }: { readonly now: Date; readonly random: Random },
): Conclusion {
  const outcome = isAcknowledged ? heldBack(ran) : ran
  if (outcome.status !== 'QUEUED') return { outcome, park: undefined }
  if (outcome.wasCalled && attempt >= attemptLimit) return { outcome: givenUp(outcome, attempt), park: undefined }
  const backoffMs = outcome.wasCalled ? waitAfterAttemptMs(attempt, { ...rule, jitter: 0.2 }, random) : uncalledWaitMs
  const waitMs = waitAsAskedMs(backoffMs, outcome.retryAfterMs)
  const park = { dueAt: new Date(now.getTime() + waitMs), attempt: outcome.wasCalled ? attempt + 1 : attempt }
  return { outcome, park }
}

/**
 * "Send it again later" reaches nobody when the sender has its AA already: then it is on us to try again later. What is
 * wrong with the message itself stays an error.
 */
function heldBack(outcome: Outcome): Outcome {
  if (outcome.status !== 'ERROR' || !passing.has(outcome.errorCode)) return outcome
  const { code: _code, issues: _issues, later = { wasCalled: true }, ...known } = outcome
  return { ...known, status: 'QUEUED', ...later }
}

const passing: ReadonlySet<string> = new Set([
  'FACILITY_REGISTRY_UNAVAILABLE',
  'PATIENT_INDEX_UNAVAILABLE',
  'TERMINOLOGY_UNAVAILABLE',
  'CONSENT_UNAVAILABLE',
  'TIMEOUT',
])

/** The circuit says when it can be tried again; this is for whoever did not listen to it. */
const uncalledWaitMs = 1_000

function givenUp(parked: Parked, attempts: number): Failed {
  return {
    ...parked,
    status: 'ERROR',
    code: 'AE',
    errorMessage: `${parked.errorMessage} Given up after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}.`,
    issues: [],
  }
}

/** A message that waits behind a parked one of its patient, or whose turn did not come in time. */
export const parkedBehind: Parked = {
  ...knownAtReceipt,
  status: 'QUEUED',
  errorCode: waitsForPatient,
  errorMessage: 'An earlier message of the same patient is not through yet.',
  wasCalled: false,
}

/**
 * Something of ours went wrong: the sender may try again. Never at RECEIVE: that it came past it is what keeps a retry from
 * asking for its certificate again.
 */
export const failedInside = (stage: LaterStage, errorCode: string, errorMessage: string): Failed => ({
  ...knownAtReceipt,
  stage,
  status: 'ERROR',
  code: 'AE',
  errorCode,
  errorMessage,
  issues: [],
})
