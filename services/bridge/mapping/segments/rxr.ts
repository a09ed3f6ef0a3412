import type { CodeableConcept, Dosage } from '../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../packages/hl7/index.ts'
import type { Draft } from '../draft.ts'
import type { At } from '../at.ts'
import { cweOf } from '../dt/cwe.ts'
import { modifiersIn, withModifiers } from '../dt/modifiers.ts'
import { readSegment, row, type SegmentMap } from '../segment-map.ts'

/** RXR: by which way, where and how a dose is given. R4 has concepts here; the guide has codes. */
export const rxrToDosage: SegmentMap = {
  segment: 'RXR',
  resource: 'Dosage',
  rows: [
    row(1, 'Route', 'route', cweOf('0162')),
    row(2, 'Administration Site', 'site', (part, place) => atSite(cweOf('0163')(part, place), place)),
    row(4, 'Administration Method', 'method', cweOf('0165')),
    row(5, 'Routing Instruction', 'additionalInstruction[]', cweOf('0714')),
    {
      ...row(6, 'Administration Site Modifier', 'site', (_part, place) =>
        place.segment.text(2) === undefined ? atSite(cweOf('0163')(place.segment.part(2), place), place) : undefined,
      ),
      clears: [],
    },
  ],
}

/** RXR-2 and 6 */
const atSite = (site: CodeableConcept | undefined, place: At): CodeableConcept | undefined =>
  withModifiers(site, modifiersIn(place, 6, '0495'), place.draft)

export interface RouteAndSite {
  readonly way: Pick<Dosage, 'route' | 'site' | 'method' | 'additionalInstruction'>
  /** The parts of a dosage whose field was `""`. */
  readonly deletes: readonly string[]
}

/** What RXR says; nothing where there is none. For prescriptions and for immunizations. */
export function readRxr(rxr: Segment | undefined, draft: Draft): RouteAndSite {
  if (rxr === undefined) return { way: {}, deletes: [] }
  const { elements, deletes } = readSegment(rxrToDosage, rxr, draft)
  return { way: elements, deletes }
}
