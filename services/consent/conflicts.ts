import { dayIn } from '../../packages/clock/day-in.ts'
import { intersectLetters } from '../../packages/smart/letters.ts'
import type { ConsentDeps } from './deps.ts'
import { isKindOf } from './purposes.ts'
import type { ConsentRecord, DecidingRecord } from './record/consent-record.ts'
import { recordsWithASay } from './store/records-with-a-say.ts'

/** Which records stand against this one, for whoever writes it. */
export async function conflictHeaders(
  record: ConsentRecord,
  { database, clock, settings }: Pick<ConsentDeps, 'database' | 'clock' | 'settings'>,
): Promise<{ 'x-consent-conflicts'?: string }> {
  // Without a patient only a policy decides anything.
  const decides = record.status === 'active' && (record.patientId !== null || record.isDomainPolicy)
  if (!decides) return {}
  const others = (await recordsWithASay(record.patientId, database)).filter(({ id }) => id !== record.id)
  const ids = opposedTo(record, others, dayIn(settings.timeZone, clock.now())).map(({ id }) => id)
  return ids.length === 0 ? {} : { 'x-consent-conflicts': ids.slice(0, idsMax).join(', ') }
}

const idsMax = 20

type Said = Pick<
  DecidingRecord,
  | 'provisionType'
  | 'actorReference'
  | 'resourceClasses'
  | 'purposes'
  | 'permittedOperations'
  | 'periodStart'
  | 'periodEnd'
>

/**
 * Those that say the opposite for some of the same, today or on any day to come: the patient's own first, the newest
 * first. With deny overriding permit, a new permit under an old opt-out has no effect, and whoever writes it should hear
 * so; that a patient's refusal overrides a policy is what refusals are for.
 */
export function opposedTo<Other extends DecidingRecord>(
  terms: Said,
  others: readonly Other[],
  today: string,
): readonly Other[] {
  if (isBefore(terms.periodEnd, today)) return []
  return others
    .filter((other) => other.patientId !== null || other.provisionType === 'deny')
    .filter((other) => !isBefore(other.periodEnd, today) && areOpposed(terms, other))
    .toSorted((some, other) => Number(some.patientId === null) - Number(other.patientId === null) || other.id - some.id)
}

function areOpposed(some: Said, other: Said): boolean {
  return (
    some.provisionType !== other.provisionType &&
    (some.actorReference === null || other.actorReference === null || some.actorReference === other.actorReference) &&
    overlap(some.resourceClasses, other.resourceClasses) &&
    refusesSomeOf(some, other) &&
    intersectLetters(some.permittedOperations, other.permittedOperations) !== '' &&
    !isBefore(some.periodEnd, other.periodStart) &&
    !isBefore(other.periodEnd, some.periodStart)
  )
}

/** An empty list means everything. */
const overlap = (some: readonly string[], other: readonly string[]) =>
  some.length === 0 || other.length === 0 || some.some((item) => other.includes(item))

/** Of two that say the opposite, whether the one refuses a purpose of the other. */
function refusesSomeOf(some: Said, other: Said): boolean {
  const [{ purposes: refused }, { purposes: permitted }] = some.provisionType === 'deny' ? [some, other] : [other, some]
  const isRefused = (purpose: string) => refused.some((one) => isKindOf(purpose, one))
  return refused.length === 0 || permitted.length === 0 || permitted.some(isRefused)
}

const isBefore = (end: string | null, start: string | null) => end !== null && start !== null && end < start
