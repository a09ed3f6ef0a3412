import type { CodeableConcept, Reference } from '../../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../../packages/hl7/index.ts'
import type { ResourceFields } from './times.ts'

/** Who, where or what an appointment needs, and the segment that says when. */
export interface ScheduledResource {
  readonly segment: Segment
  readonly fields: ResourceFields
  readonly actor: Reference
  readonly type?: CodeableConcept
}
