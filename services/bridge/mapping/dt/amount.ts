import type { Quantity } from '../../../../packages/fhir/r4.ts'
import { readCwe, readNm, type Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import type { Draft } from '../draft.ts'
import { quantity, unreadAmount } from './cq.ts'

/** An amount whose number and unit are two fields, as in the pharmacy segments. */
export function amountOf(segment: Segment, field: number, unitField: number, draft: Draft): Quantity | undefined {
  const part = segment.part(field)
  const value = readNm(part)
  const place = at(draft, segment, field)
  const unit = readCwe(segment.part(unitField))
  return value === undefined ? unreadAmount(part, unit, place) : quantity(value, unit, place)
}
