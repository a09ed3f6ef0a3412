import type { Segment } from '../../../packages/hl7/index.ts'
import type { Draft } from './draft.ts'
import type { WarningKind } from './mapped.ts'
import { pathOfField, type Place } from './place.ts'

/** A place in the message that is being mapped. */
export interface At extends Place {
  readonly draft: Draft
}

export const at = (draft: Draft, segment: Segment, field: number, repetition = 0): At => ({
  draft,
  segment,
  field,
  repetition,
})

/** `PID-3[1]`, as the paths of packages/hl7. */
const pathOfPlace = (place: At): string => pathOfField(place.draft.pathOf(place.segment), place)

/** `PID-3`: of a number that says nothing else, what it is a number of. */
export const fieldOf = ({ segment, field }: At): string => `${segment.name}-${field}`

export function warnAt(place: At, kind: WarningKind, text: string): void {
  place.draft.warn(kind, pathOfPlace(place), text)
}
