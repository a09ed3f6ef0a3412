import { intersectLetters } from '../../packages/smart/letters.ts'
import type { ConsentDeps } from './deps.ts'
import type { ConsentRecord, ConsentTerms } from './record/consent-record.ts'
import { recordsOfPatient } from './store/records.ts'
import { dayIn } from '../../packages/clock/day-in.ts'

/**
 * Which active records of the same patient say the opposite for some of the same. With deny overriding permit, a new
 * permit under an old opt-out has no effect, and whoever writes it should hear so.
 */
export async function conflictHeaders(
  record: ConsentRecord,
  { database, clock, settings }: Pick<ConsentDeps, 'database' | 'clock' | 'settings'>,
): Promise<{ 'x-consent-conflicts'?: string }> {
  if (record.patientId === null) return {}
  const others = await recordsOfPatient(record.patientId, dayIn(settings.timeZone, clock.now()), database)
  const ids = others.filter((other) => other.id !== record.id && areOpposed(record, other)).map(({ id }) => id)
  return ids.length === 0 ? {} : { 'x-consent-conflicts': ids.slice(0, idsMax).join(', ') }
}

const idsMax = 20

export function areOpposed(some: ConsentTerms, other: ConsentTerms): boolean {
  return (
    some.provisionType !== other.provisionType &&
    (some.actorReference === null || other.actorReference === null || some.actorReference === other.actorReference) &&
    overlap(some.resourceClasses, other.resourceClasses) &&
    overlap(some.purposes, other.purposes) &&
    intersectLetters(some.permittedOperations, other.permittedOperations) !== '' &&
    !isBefore(some.periodEnd, other.periodStart) &&
    !isBefore(other.periodEnd, some.periodStart)
  )
}

/** An empty list means everything. */
const overlap = (some: readonly string[], other: readonly string[]) =>
  some.length === 0 || other.length === 0 || some.some((item) => other.includes(item))

const isBefore = (end: string | null, start: string | null) => end !== null && start !== null && end < start
