import { readCwe, type Coded, type Segment } from '../../../../packages/hl7/index.ts'
import type { Draft } from '../draft.ts'

/** OBX-6: the unit of the value and of its reference range. */
export function unitOf(obx: Segment, { units }: Draft): Coded | undefined {
  const raw = obx.rawField(6)
  if (raw === undefined || raw === '') return undefined
  const known = units.get(raw)
  if (known !== undefined) return known
  const read = readCwe(obx.part(6))
  if (read !== undefined) units.set(raw, read)
  return read
}
