import type { Identifier, Reference, Specimen, SpecimenContainer } from '../../../../packages/fhir/r4.ts'
import { readEip, type Part, type Segment } from '../../../../packages/hl7/index.ts'
import { type At, at } from '../at.ts'
import { rowOf } from '../code-map.ts'
import { compact } from '../compact.ts'
import type { Draft } from '../draft.ts'
import { cq } from '../dt/cq.ts'
import { cwe, cweOf } from '../dt/cwe.ts'
import { cx } from '../dt/cx.ts'
import { ei, entityIdentifier } from '../dt/ei.ts'
import { dateTime } from '../dt/ts.ts'
import { text } from '../extensions.ts'
import { dateRow, row, type SegmentMap } from '../segment-map.ts'
import { siteRows } from './site-rows.ts'
import { yesNo } from '../v/0136-yes-no.ts'

/** SPM to Specimen. When it was taken (17) and in what (6, 27) stand below and in `specimen.ts`. */
export const spmToSpecimen: SegmentMap = {
  segment: 'SPM',
  resource: 'Specimen',
  rows: [
    row(2, 'Specimen Identifier', 'identifier[]', specimenNumbers),
    row(3, 'Specimen Parent IDs', 'parent[]', specimenByNumber),
    row(4, 'Specimen Type', 'type', cweOf('0487')),
    row(7, 'Specimen Collection Method', 'collection.method', cweOf('0488')),
    ...siteRows(
      'collection.bodySite',
      { field: 8, name: 'Specimen Source Site', by: cwe },
      { field: 9, name: 'Specimen Source Site Modifier', table: '0542' },
    ),
    row(12, 'Specimen Collection Amount', 'collection.quantity', cq),
    row(14, 'Specimen Description', 'note[]', (part) => {
      const said = text(part)
      return said === undefined ? undefined : { text: said }
    }),
    dateRow(18, 'Specimen Received Date/Time', 'receivedTime', dateTime),
    row(20, 'Specimen Availability', 'status', available),
    // What was rejected is no use, wherever it is.
    { ...row(21, 'Specimen Reject Reason', 'status', (): Specimen['status'] => 'unsatisfactory'), clears: [] },
    row(21, 'Specimen Reject Reason', 'condition[]', cweOf('0490')),
    row(24, 'Specimen Condition', 'condition[]', cweOf('0493')),
    row(30, 'Accession ID', 'accessionIdentifier', cx),
    row(31, 'Other Specimen ID', 'identifier[]', cx),
    row(32, 'Shipment ID', 'identifier[]', ei('SHIP')),
  ],
}

/** SPM-6 and 27: the tube and what is in it beside the specimen. */
export function containerOf(spm: Segment, draft: Draft): SpecimenContainer | undefined {
  return compact<SpecimenContainer>({
    type: cweOf('0378')(spm.part(27), at(draft, spm, 27)),
    additiveCodeableConcept: cweOf('0371')(spm.part(6), at(draft, spm, 6)),
  })
}

/** EIP: the number that the placer gave it and the one that the filler gave it. */
function specimenNumbers(part: Part, place: At): Identifier[] | undefined {
  const { placer, filler } = readEip(part) ?? {}
  const numbers = [entityIdentifier(placer, place, 'PGN'), entityIdentifier(filler, place, 'FGN')]
  const found = numbers.filter((one) => one !== undefined)
  return found.length === 0 ? undefined : found
}

/** A specimen that is known only by a number: SPM-3, OBX-33. */
export function specimenByNumber(part: Part, place: At): Reference | undefined {
  const numbers = specimenNumbers(part, place)
  const identifier = numbers?.at(-1)
  return identifier && { type: 'Specimen', identifier }
}

function available(part: Part): Specimen['status'] {
  const isAvailable = rowOf(yesNo, part.text(1) ?? '')
  return isAvailable === undefined ? undefined : isAvailable ? 'available' : 'unavailable'
}
