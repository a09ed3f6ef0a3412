import type { ObservationReferenceRange } from '../../../../packages/fhir/r4.ts'
import type { Part } from '../../../../packages/hl7/index.ts'
import type { At } from '../at.ts'
import { compact } from '../compact.ts'
import { quantity } from '../dt/cq.ts'
import { unitOf } from './obx-unit.ts'

/** OBX-7: the range as it was written, and its ends as quantities where they can be read: `3.5-5.1`, `<5`, `>= 60`. */
export function referenceRange(part: Part, place: At): ObservationReferenceRange | undefined {
  const text = part.whole.trim()
  if (text === '') return undefined
  const unit = unitOf(place.segment, place.draft)
  const { low, high } = endsOf(text)
  return compact<ObservationReferenceRange>({
    low: low === undefined ? undefined : quantity(low, unit, place),
    high: high === undefined ? undefined : quantity(high, unit, place),
    text,
  })
}

function endsOf(text: string): { readonly low?: string; readonly high?: string } {
  const between = /^(-?\d{1,12}(?:\.\d{1,12})?)\s*(?:-|–|\^|to)\s*(-?\d{1,12}(?:\.\d{1,12})?)$/i.exec(text)
  if (between !== null) {
    const [low, high] = [plain(between[1]), plain(between[2])]
    return Number(low) <= Number(high) ? { low, high } : {}
  }
  const one = /^(<=?|>=?)\s*(\d{1,12}(?:\.\d{1,12})?)$/.exec(text)
  if (one === null) return {}
  return one[1]?.startsWith('<') === true ? { high: plain(one[2]) } : { low: plain(one[2]) }
}

/** FHIR decimals have no leading zeros. */
const plain = (digits = ''): string => digits.replace(/^(-?)0+(?=\d)/, '$1')
