import type { FhirResource, PatientLink } from '../../../packages/fhir/r4.ts'

/** Into whom a record was merged, as it refers to them: who has such a link is out of use. */
export const survivorReference = (resource: FhirResource): string | undefined => linkOf(resource, 'replaced-by')

/** The golden record to which a record refers. */
export const goldenReference = (resource: FhirResource): string | undefined => linkOf(resource, 'refer')

const linkOf = (resource: FhirResource, type: PatientLink['type']): string | undefined =>
  resource.resourceType === 'Patient' ? resource.link?.find((link) => link.type === type)?.other.reference : undefined
