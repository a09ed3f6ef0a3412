import type { Identifier, Reference } from '../../../../packages/fhir/r4.ts'
import { readEi, type EntityIdentifier, type Part } from '../../../../packages/hl7/index.ts'
import { type At, fieldOf } from '../at.ts'
import { identifier } from '../code-map.ts'
import { systemOf } from './hd.ts'

/** EI: an entity's identifier, with the kind (table 0203) that its field means: PLAC, FILL, PGN … */
export const ei =
  (kind?: string) =>
  (part: Part | undefined, place: At): Identifier | undefined =>
    entityIdentifier(readEi(part), place, kind)

/** EI in a field that names what another one numbers (TXA-13 what TXA-12 does): a bare number is one of that field. */
export const eiOf =
  (field: string) =>
  (part: Part | undefined, place: At): Identifier | undefined =>
    entityIdentifier(readEi(part), place, undefined, field)

/** An order by its number, where the message says nothing else of it. */
export const orderNumbered =
  (kind: 'PLAC' | 'FILL') =>
  (part: Part, place: At): Reference | undefined => {
    const number = ei(kind)(part, place)
    return number && { type: 'ServiceRequest', identifier: number }
  }

/** An EI that was already read, as the parts of EIP. */
export function entityIdentifier(
  read: EntityIdentifier | undefined,
  place: At,
  kind: string | undefined,
  field = fieldOf(place),
): Identifier | undefined {
  const value = read?.value?.trim()
  if (value === undefined || value === '') return undefined
  return identifier(kind, systemOf(read, kind ?? field, place.draft.context), value)
}
