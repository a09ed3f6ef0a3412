import type { PractitionerQualification } from '../../../../packages/fhir/r4.ts'
import { readRange, type Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import type { Draft } from '../draft.ts'
import { periodOf } from '../dt/ts.ts'
import { xon } from '../dt/xon.ts'

/** AFF: a professional body (2) to which someone belongs, and since when (4). */
export function affiliation(aff: Segment, draft: Draft): PractitionerQualification | undefined {
  const issuer = xon(aff.part(2), at(draft, aff, 2))
  if (issuer === undefined) return undefined
  const range = readRange(aff.part(4))
  const period = periodOf(range?.start, range?.end, at(draft, aff, 4))
  return { code: { text: 'Professional affiliation' }, issuer, ...(period === undefined ? {} : { period }) }
}
