import type { Extension } from '../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import type { Draft } from '../draft.ts'
import { cweOf } from '../dt/cwe.ts'

/** LCH: a characteristic of a place (4, table 0324: smoking, isolation …) and its value (5). */
export function characteristic(lch: Segment, draft: Draft): Extension | undefined {
  const name = cweOf('0324')(lch.part(4), at(draft, lch, 4))
  const value = cweOf('0136')(lch.part(5), at(draft, lch, 5))
  if (name === undefined || value === undefined) return undefined
  return {
    url: draft.extensionUrl('location-characteristic'),
    extension: [
      { url: 'characteristic', valueCodeableConcept: name },
      { url: 'value', valueCodeableConcept: value },
    ],
  }
}
