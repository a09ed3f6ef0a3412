import type { Segment } from '../../../../packages/hl7/index.ts'

/** No segment of the standard has nearly as many fields; what stands behind them is not looked at. */
const fieldsLookedAt = 1_000

/** The numbers of the fields that say something. The separators of a header say nothing to people. */
export function* filledFields(segment: Segment): Iterable<number> {
  for (let field = segment.name === 'MSH' ? 3 : 1; field <= fieldsLookedAt; field++) {
    const sent = segment.rawField(field)
    if (sent === undefined) return
    if (sent !== '') yield field
  }
}
