import type { Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import type { Draft } from '../draft.ts'
import { cweOf } from '../dt/cwe.ts'
import { pl } from '../dt/pl.ts'
import type { ScheduledResource } from '../families/siu/resources.ts'
import type { ResourceFields } from '../families/siu/times.ts'

const ailFields: ResourceFields = {
  start: 6,
  offset: 7,
  offsetUnit: 8,
  duration: 9,
  durationUnit: 10,
  status: 12,
}

/** AIL-3: the places of an appointment, each of the kind of AIL-4. */
export function places(ail: Segment, draft: Draft): ScheduledResource[] {
  const type = cweOf('0305')(ail.part(4), at(draft, ail, 4))
  return ail.repetitions(3).flatMap((part, repetition) => {
    const actor = pl(part, at(draft, ail, 3, repetition))
    return actor === undefined
      ? []
      : [{ segment: ail, fields: ailFields, actor, ...(type === undefined ? {} : { type }) }]
  })
}
