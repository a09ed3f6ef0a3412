import type { Annotation } from '../../../packages/fhir/r4.ts'
import type { WrittenSegment } from './written-segment.ts'

/** NTE: what somebody noted, one for each note. They follow the segment that they are about. */
export const ntesFrom = (notes: readonly Annotation[] | undefined): WrittenSegment[] =>
  (notes ?? []).map(({ text }, index) => ({ name: 'NTE', fields: { 1: index + 1, 3: text } }))
