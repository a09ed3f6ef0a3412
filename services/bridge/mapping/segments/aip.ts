import type { Segment } from '../../../../packages/hl7/index.ts'
import type { Draft } from '../draft.ts'
import { xcn } from '../dt/xcn.ts'
import { namedResources } from '../families/siu/named-resources.ts'

/** AIP-3: the people of an appointment, each in the role of AIP-4. */
export const people = (aip: Segment, draft: Draft) => namedResources(aip, '0182', xcn, draft)
