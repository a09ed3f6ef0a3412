import type { Segment } from '../../../packages/hl7/index.ts'
import type { Draft } from './draft.ts'
import type { WarningKind } from './mapped.ts'

/** A place in the message that is being mapped: which repetition of which field of which segment. */
export interface At {
  readonly draft: Draft
  readonly segment: Segment
  readonly field: number
  /** From 0. */
  readonly repetition: number
}

export const at = (draft: Draft, segment: Segment, field: number, repetition = 0): At => ({
  draft,
  segment,
  field,
  repetition,
})

/** `PID-3[1]`, as the paths of packages/hl7. */
export function pathOfPlace({ draft, segment, field, repetition }: At): string {
  return `${draft.pathOf(segment)}-${field}${repetition === 0 ? '' : `[${repetition}]`}`
}

/** `PID-3`: of a number that says nothing else, what it is a number of. */
export const fieldOf = ({ segment, field }: At): string => `${segment.name}-${field}`

export function warnAt(place: At, kind: WarningKind, text: string): void {
  place.draft.warn(kind, pathOfPlace(place), text)
}
