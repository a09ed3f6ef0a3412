import { isPatientsWord, patientsWord } from '../../../packages/fhir/patients-word.ts'
import type { FhirResource } from '../../../packages/fhir/r4.ts'

/** A telephone number that a patient corrects does not make the whole Patient their word; what says who it is, they keep (0250). */
export const isLabelled = (type: string): boolean => type !== 'Patient'

/**
 * What certificates are signed from. Of these, patients change and delete what is their own word only: a dose that a
 * hospital has recorded stays what the hospital says.
 */
export const isVouchedFor = (type: string): boolean => type === 'Immunization'

/**
 * A valid resource with the label of what patients write. It is put on with each of their writes, so they can neither
 * leave it out nor take it off. Those who treat them take it off when they vouch.
 */
export function labelled(resource: Pick<FhirResource, 'meta'>): object {
  if (isPatientsWord(resource)) return resource
  const { meta = {} } = resource
  return { ...resource, meta: { ...meta, security: [...(meta.security ?? []), patientsWord] } }
}
