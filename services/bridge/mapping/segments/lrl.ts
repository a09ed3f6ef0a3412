import type { Reference } from '../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import type { Draft } from '../draft.ts'
import { pl } from '../dt/pl.ts'

/** LRL: the place (6) of which this one is a part, where the relationship (4, table 0325) is that of a parent. */
export function parentPlace(lrl: Segment, draft: Draft): Reference | undefined {
  return lrl.text(4)?.trim().toUpperCase() === 'PAR' ? pl(lrl.part(6), at(draft, lrl, 6)) : undefined
}
