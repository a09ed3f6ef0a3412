import type { FhirResource, Reference } from '../../../packages/fhir/r4.ts'
import { parseReference, referencedType } from '../../../packages/fhir/reference.ts'
import type { Write } from './mapped.ts'

/** Of whom it is; an account may be of several. */
export function patientOf(resource: FhirResource | Write['defaults']): Reference | undefined {
  // Sound: either is an object, and what stands in these members is looked at before it is used.
  const { subject, patient } = resource as { subject?: Reference | Reference[]; patient?: Reference }
  return Array.isArray(subject) ? undefined : (subject ?? patient)
}

/** The same of an appointment, too, which may be of several. */
export function patientsOf(resource: FhirResource | Write['defaults']): readonly Reference[] {
  const one = patientOf(resource)
  if (one !== undefined) return [one]
  // Sound: as above.
  const { participant } = resource as { participant?: readonly { readonly actor?: Reference }[] }
  return (participant ?? []).flatMap(({ actor }) =>
    actor !== undefined && referencedType(actor, []) === 'Patient' ? [actor] : [],
  )
}

/** Of whom it is as `Patient/…`, also where another server writes its own address before it. */
export const patientReference = (resource: FhirResource): string | undefined =>
  [patientOf(resource)].flatMap(inStore)[0]

/** The same of an appointment, too. */
export const patientReferences = (resource: FhirResource): string[] => patientsOf(resource).flatMap(inStore)

function inStore(one: Reference | undefined): string[] {
  const target = parseReference(one?.reference ?? '')
  const isStored = target.kind === 'relative' || target.kind === 'absolute'
  return isStored && target.type === 'Patient' ? [`Patient/${target.id}`] : []
}
