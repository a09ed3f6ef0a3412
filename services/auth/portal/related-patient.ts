import { timeRangeOf } from '../../../packages/fhir/date.ts'
import type { RelatedPerson } from '../../../ports/fhir-store/resources.ts'
import { subjectOf, type User } from '../store/users.ts'
import { fromFhir } from './find-patients.ts'
import type { Look } from './look.ts'
import { patientOf } from './patient-row.ts'

/** The patient beside whom a related person stands, as long as their own record says so; null where it does not. */
export function relatedPatient({ fhirUser }: Pick<User, 'fhirUser'>, look: Look): Promise<string | null> {
  const { store, base, now, signal } = look
  return fromFhir(async () => {
    const record = await store.read<RelatedPerson>('RelatedPerson', subjectOf(fhirUser), { signal })
    return record === undefined || !isInForce(record, now) ? null : (patientOf(record.patient, base) ?? null)
  })
}

/** A relation that is over, or has not begun, is none. A time that cannot be read does not stretch it. */
function isInForce({ active = true, period: { start, end } = {} }: RelatedPerson, now: Date): boolean {
  const nowMs = now.getTime()
  const hasBegun = start === undefined || (timeRangeOf(start)?.low ?? Infinity) <= nowMs
  const isOver = end !== undefined && (timeRangeOf(end)?.high ?? -Infinity) <= nowMs
  return active && hasBegun && !isOver
}
