import type { Patient } from '../../../packages/fhir/r4.ts'
import type { Write } from '../mapping/mapped.ts'
import { survivorReference } from '../mapping/patient-links.ts'

/**
 * The write without links of a record to itself: a number of the record that goes (MRG-1) may be the survivor's, as only
 * the store knows. Undefined when nothing else was meant: nobody takes their own place. References must be settled before.
 * @param place where it is stored, as `Type/id`
 */
export function notOfItself(write: Write, place: string): Write | undefined {
  const { resource } = write
  if (resource.resourceType !== 'Patient' || resource.link === undefined) return write
  if (survivorReference(resource) === place) return undefined
  const link = resource.link.filter(({ other }) => other.reference !== place)
  return link.length === resource.link.length ? write : { ...write, resource: withLinks(resource, link) }
}

function withLinks({ link: _before, ...rest }: Patient, link: NonNullable<Patient['link']>): Patient {
  return link.length === 0 ? rest : { ...rest, link }
}
