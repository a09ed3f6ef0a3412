import { readSi, type Part } from '../../../../packages/hl7/index.ts'
import { type At, warnAt } from '../at.ts'

/** SI and counts: a whole number from 0 on, of at most 32 bits, which is all that R4 takes. */
export function si(part: Part | undefined, place: At): number | undefined {
  const read = readSi(part)
  if (read !== undefined && read <= 2_147_483_647) return read
  if (part?.text(1) !== undefined)
    warnAt(place, 'bad-number', 'This is not a whole number that FHIR takes; it was left out.')
  return undefined
}
