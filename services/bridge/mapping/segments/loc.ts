import type { CodeableConcept } from '../../../../packages/fhir/r4.ts'
import type { Part } from '../../../../packages/hl7/index.ts'
import type { At } from '../at.ts'
import { rowOf } from '../code-map.ts'
import { cweOf } from '../dt/cwe.ts'
import { physicalType } from '../dt/pl.ts'
import { xad } from '../dt/xad.ts'
import { xon } from '../dt/xon.ts'
import { xtnAs } from '../dt/xtn.ts'
import { text } from '../extensions.ts'
import { row, type SegmentMap } from '../segment-map.ts'
import { locationType } from '../v/0260-location-type.ts'

/** LOC to Location. Which one (1) stands in `families/mfn/places.ts`. */
export const locToLocation: SegmentMap = {
  segment: 'LOC',
  resource: 'Location',
  rows: [
    row(2, 'Location Description', 'description', text),
    row(3, 'Location Type - LOC', 'physicalType', kind),
    row(4, 'Organization Name - LOC', 'managingOrganization', xon),
    row(5, 'Location Address', 'address', xad),
    row(6, 'Location Phone', 'telecom[]', xtnAs('work')),
    row(8, 'Location Equipment', 'type[]', cweOf('0261')),
    row(9, 'Location Service Code', 'type[]', cweOf('0442')),
  ],
}

/** What kind of place it is, with the sender's own code beside it. */
function kind(part: Part, place: At): CodeableConcept | undefined {
  const sent = cweOf('0260')(part, place)
  const mapped = rowOf(locationType, part.text(1) ?? '')
  if (mapped === undefined) return sent
  return { coding: [...(physicalType(mapped.code, mapped.display).coding ?? []), ...(sent?.coding ?? [])] }
}
