import type { Segment } from '../../../../packages/hl7/index.ts'
import type { Draft } from '../draft.ts'
import { pl } from '../dt/pl.ts'
import { namedResources } from '../families/siu/named-resources.ts'

/** AIL-3: the places of an appointment, each of the kind of AIL-4. */
export const places = (ail: Segment, draft: Draft) => namedResources(ail, '0305', pl, draft)
