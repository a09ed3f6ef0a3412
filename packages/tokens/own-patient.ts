import { isFhirId } from '../fhir/fhir-id.ts'
import type { Caller } from './caller.ts'

/**
 * The patient who calls, as `Patient/<id>`; undefined for everybody else. A subject is an id without its type, and an id
 * is one person's only within a type: RelatedPerson/7 is not Patient/7. A token that does not say who its user is in the
 * record leaves the subject.
 */
export function ownPatient({ subject, fhirUser }: Pick<Caller, 'subject' | 'fhirUser'>): string | undefined {
  if (fhirUser !== undefined && fhirUser.split('/').at(-2) !== 'Patient') return undefined
  const id = subject.startsWith('Patient/') ? subject.slice('Patient/'.length) : subject
  return isFhirId(id) ? `Patient/${id}` : undefined
}
