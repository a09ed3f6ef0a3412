import type { CodeableConcept, Reference } from '../../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../../packages/hl7/index.ts'
import type { Draft } from '../../draft.ts'
import { generalResource } from '../../segments/aig.ts'
import { places } from '../../segments/ail.ts'
import { people } from '../../segments/aip.ts'
import { aisFields } from '../../segments/ais.ts'
import { type ResourceFields, type ResourceTimes, resourceTimes } from './times.ts'

/** Who, where or what an appointment needs, and the segment that says when. */
export interface ScheduledResource {
  readonly segment: Segment
  readonly fields: ResourceFields
  readonly actor: Reference
  readonly type?: CodeableConcept
}

/** The resources of AIG, AIL and AIP, in the order in which they were sent. */
export function scheduledResources(draft: Draft): ScheduledResource[] {
  return draft.message.all.flatMap((segment) => {
    if (segment.name === 'AIG') return generalResource(segment, draft)
    if (segment.name === 'AIL') return places(segment, draft)
    return segment.name === 'AIP' ? people(segment, draft) : []
  })
}

/** The times of services and resources. */
export function allTimes(resources: readonly ScheduledResource[], draft: Draft): ResourceTimes[] {
  const services = draft.message.segments('AIS').map((segment) => ({ segment, fields: aisFields }))
  return [...services, ...resources]
    .map(({ segment, fields }) => resourceTimes(segment, fields, draft))
    .filter((times) => times !== undefined)
}
