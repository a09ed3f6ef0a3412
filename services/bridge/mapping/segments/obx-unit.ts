import { readCwe, type Coded, type Part, type Segment } from '../../../../packages/hl7/index.ts'
import type { Draft } from '../draft.ts'

/** OBX-6: the unit of the value and of its reference range. */
export function unitOf(obx: Segment, { units }: Draft): Coded | undefined {
  const raw = obx.rawField(6)
  if (raw === undefined || raw === '') return undefined
  const known = units.get(raw)
  if (known !== undefined) return known
  const part = obx.part(6)
  const read = (part && readPower(part)) ?? readCwe(part)
  if (read !== undefined) units.set(raw, read)
  return read
}

/** `10^9/L`: a power whose sign was not escaped, so that it stands as two components. Alone the second is another unit. */
function readPower(part: Part): Coded | undefined {
  const [ten = '', rest = ''] = [part.text(1)?.trim(), part.text(2)?.trim()]
  if (part.syntax.delimiters.component !== '^' || !/^[x*]?10$/i.test(ten) || !/^\d{1,2}\//.test(rest)) return undefined
  return { codes: [{ code: `${ten}^${rest}`, display: part.text(3), system: part.text(4) }] }
}
