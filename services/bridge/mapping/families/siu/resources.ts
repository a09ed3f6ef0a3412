import type { Draft } from '../../draft.ts'
import { generalResource } from '../../segments/aig.ts'
import { places } from '../../segments/ail.ts'
import { people } from '../../segments/aip.ts'
import { aisFields } from '../../segments/ais.ts'
import type { ScheduledResource } from './scheduled-resource.ts'
import { type ResourceTimes, resourceTimes } from './times.ts'

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
