import type { Quantity } from '../../../../packages/fhir/r4.ts'
import { readCwe, readNm, type Segment } from '../../../../packages/hl7/index.ts'
import { at, warnAt } from '../at.ts'
import type { Draft } from '../draft.ts'
import { quantity } from './cq.ts'

/** An amount whose number and unit are two fields, as in the pharmacy segments. */
export function amountOf(segment: Segment, field: number, unitField: number, draft: Draft): Quantity | undefined {
  const part = segment.part(field)
  const value = readNm(part)
  const place = at(draft, segment, field)
  if (value !== undefined) return quantity(value, readCwe(segment.part(unitField)), place)
  if (part?.text(1) !== undefined) warnAt(place, 'bad-number', 'This is not a number; it was left out.')
  return undefined
}
