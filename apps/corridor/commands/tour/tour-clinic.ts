import type { Organization } from '../../../../packages/fhir/r4.ts'
import { facilityCodeSystem } from '../../../../ports/facility-registry/organization.ts'
import { systems } from '../../../../services/fhir/demo/parts.ts'

export const nationalIdSystem = systems.nationalId

/**
 * A facility that the demo does not have. It is registered before it sends for the first time, because a facility that
 * the demo meets in a message is let in at once: here nobody but the patient lets it in.
 */
export const tourClinic = {
  resourceType: 'Organization',
  id: 'riverside-mobile-clinic',
  identifier: [{ use: 'official', system: facilityCodeSystem, value: 'RIVER' }],
  active: true,
  name: 'Riverside Mobile Clinic',
} as const satisfies Organization

export const tourClinicCode = tourClinic.identifier[0].value
export const tourClinicReference = `Organization/${tourClinic.id}` as const
