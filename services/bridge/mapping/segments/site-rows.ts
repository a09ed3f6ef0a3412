import type { CodeableConcept } from '../../../../packages/fhir/r4.ts'
import type { Part } from '../../../../packages/hl7/index.ts'
import type { At } from '../at.ts'
import { modifiersIn, withModifiers } from '../dt/modifiers.ts'
import { row, type Row } from '../segment-map.ts'

interface CodedField {
  readonly field: number
  readonly name: string
  readonly by: (part: Part | undefined, place: At) => CodeableConcept | undefined
}

interface SideField {
  readonly field: number
  readonly name: string
  readonly table: string
}

/** A part of the body, and its side in a field of its own, which counts also where the first is empty: both are one element. */
export function siteRows(to: string, site: CodedField, side: SideField): [Row, Row] {
  const atSite = (part: Part | undefined, place: At) =>
    withModifiers(site.by(part, place), modifiersIn(place, side.field, side.table), place.draft)
  const sideAlone = (_side: Part, place: At) =>
    place.segment.text(site.field) === undefined ? atSite(place.segment.part(site.field), place) : undefined
  return [
    row(site.field, site.name, to, atSite),
    // `""` for the side alone says nothing of the site.
    { ...row(side.field, side.name, to, sideAlone), clears: [] },
  ]
}
