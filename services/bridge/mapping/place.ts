import type { Segment } from '../../../packages/hl7/index.ts'

/** A place in a message: which repetition of which field of which segment. */
export interface Place {
  readonly segment: Segment
  readonly field: number
  /** From 0. */
  readonly repetition: number
}

/**
 * `PID-3[1]`, as the paths of packages/hl7.
 * @param segmentPath `PID`, `NK1[2]`
 */
export const pathOfField = (segmentPath: string, { field, repetition }: Place): string =>
  `${segmentPath}-${field}${repetition === 0 ? '' : `[${repetition}]`}`
