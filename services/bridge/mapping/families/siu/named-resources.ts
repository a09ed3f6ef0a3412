import type { Reference } from '../../../../../packages/fhir/r4.ts'
import type { Part, Segment } from '../../../../../packages/hl7/index.ts'
import { at, type At } from '../../at.ts'
import type { Draft } from '../../draft.ts'
import { cweOf } from '../../dt/cwe.ts'
import type { ScheduledResource } from './scheduled-resource.ts'
import type { ResourceFields } from './times.ts'

/** AIL and AIP have their times in the same fields. */
const fields: ResourceFields = {
  start: 6,
  offset: 7,
  offsetUnit: 8,
  duration: 9,
  durationUnit: 10,
  status: 12,
}

/** Those of field 3, each of the kind or in the role of field 4, whose codes are in the table. */
export function namedResources(
  segment: Segment,
  table: string,
  actorOf: (part: Part, place: At) => Reference | undefined,
  draft: Draft,
): ScheduledResource[] {
  const type = cweOf(table)(segment.part(4), at(draft, segment, 4))
  return segment.repetitions(3).flatMap((part, repetition) => {
    const actor = actorOf(part, at(draft, segment, 3, repetition))
    return actor === undefined ? [] : [{ segment, fields, actor, ...(type === undefined ? {} : { type }) }]
  })
}
