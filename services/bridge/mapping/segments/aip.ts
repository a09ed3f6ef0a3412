import type { Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import type { Draft } from '../draft.ts'
import { cweOf } from '../dt/cwe.ts'
import { xcn } from '../dt/xcn.ts'
import type { ScheduledResource } from '../families/siu/resources.ts'
import type { ResourceFields } from '../families/siu/times.ts'

const aipFields: ResourceFields = {
  start: 6,
  offset: 7,
  offsetUnit: 8,
  duration: 9,
  durationUnit: 10,
  status: 12,
}

/** AIP-3: the people of an appointment, each in the role of AIP-4. */
export function people(aip: Segment, draft: Draft): ScheduledResource[] {
  const type = cweOf('0182')(aip.part(4), at(draft, aip, 4))
  return aip.repetitions(3).flatMap((part, repetition) => {
    const actor = xcn(part, at(draft, aip, 3, repetition))
    return actor === undefined
      ? []
      : [{ segment: aip, fields: aipFields, actor, ...(type === undefined ? {} : { type }) }]
  })
}
