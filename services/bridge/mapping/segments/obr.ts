import type { Annotation, CodeableConcept, Reference, ServiceRequest } from '../../../../packages/fhir/r4.ts'
import { readEip, readNdl, type Part, type Segment } from '../../../../packages/hl7/index.ts'
import { type At, at } from '../at.ts'
import { by, coding, rowOf } from '../code-map.ts'
import type { Draft } from '../draft.ts'
import { cq } from '../dt/cq.ts'
import { cwe, cweOf, standardised } from '../dt/cwe.ts'
import { cx } from '../dt/cx.ts'
import { ei, entityIdentifier } from '../dt/ei.ts'
import { withModifiers } from '../dt/modifiers.ts'
import { dateTime, instant } from '../dt/ts.ts'
import { practitioner, xcn } from '../dt/xcn.ts'
import { xtn } from '../dt/xtn.ts'
import { extensionRow, ownExtensionRow, text } from '../extensions.ts'
import type { ObservationCategory } from '../observation-category.ts'
import { dateRow, row, type Row, type SegmentMap } from '../segment-map.ts'
import { loinc } from '../terms.ts'
import { diagnosticServiceSection } from '../v/0074-diagnostic-service-section.ts'
import { resultStatus } from '../v/0123-result-status.ts'
import { performerFunction } from './obx.ts'
import { participationTypes } from './pv1.ts'
import { urgency } from './tq1.ts'

/** OBR to DiagnosticReport. With its end (8) the time (7) is a period (`report.ts`). */
export const obrToDiagnosticReport: SegmentMap = {
  segment: 'OBR',
  resource: 'DiagnosticReport',
  rows: [
    row(2, 'Placer Order Number', 'identifier[]', ei('PLAC')),
    row(3, 'Filler Order Number', 'identifier[]', ei('FILL')),
    row(4, 'Universal Service Identifier', 'code', universalService),
    dateRow(7, 'Observation Date/Time', 'effectiveDateTime', dateTime),
    row(22, 'Results Rpt/Status Chng - Date/Time', 'issued', instant),
    row(24, 'Diagnostic Serv Sect ID', 'category[]', cweOf('0074')),
    row(25, 'Result Status', 'status', by(resultStatus)),
    row(32, 'Principal Result Interpreter', 'resultsInterpreter[]', performerOf),
    performerRow(34, 'Technician', 'SPRF', 'secondary performer'),
    performerRow(35, 'Transcriptionist', 'TRANS', 'Transcriber'),
  ],
}

export const relevantClinicalInformation = 'relevant-clinical-information'

/** OBR to ServiceRequest. Requester (16) and timing (27) count where ORC says nothing (`service-request.ts`). */
export const obrToServiceRequest: SegmentMap = {
  segment: 'OBR',
  resource: 'ServiceRequest',
  rows: [
    row(2, 'Placer Order Number', 'identifier[]', ei('PLAC')),
    row(3, 'Filler Order Number', 'identifier[]', ei('FILL')),
    row(4, 'Universal Service Identifier', 'code', universalService),
    row(5, 'Priority', 'priority', urgency),
    dateRow(6, 'Requested Date/Time', 'occurrenceDateTime', dateTime),
    row(11, 'Specimen Action Code', 'intent', intent),
    ownExtensionRow(13, 'Relevant Clinical Information', relevantClinicalInformation, 'valueString', text),
    extensionRow(
      17,
      'Order Callback Phone Number',
      'servicerequest-order-callback-phone-number',
      'valueContactPoint',
      xtn,
    ),
    row(29, 'Parent', 'basedOn[]', parentOrder),
    row(31, 'Reason for Study', 'reasonCode[]', cwe),
    row(44, 'Procedure Code', 'orderDetail[]', cweOf('0088')),
    row(45, 'Procedure Code Modifier', 'orderDetail[]', cweOf('0340')),
    row(46, 'Placer Supplemental Service Information', 'orderDetail[]', cweOf('0411')),
    row(47, 'Filler Supplemental Service Information', 'orderDetail[]', cweOf('0411')),
    row(53, 'Alternate Placer Order Number', 'identifier[]', cx),
  ],
}

/** OBR to Specimen, for senders without SPM. When it was taken (7, 8) stands in `specimen.ts`. */
export const obrToSpecimen: SegmentMap = {
  segment: 'OBR',
  resource: 'Specimen',
  rows: [
    row(9, 'Collection Volume', 'collection.quantity', cq),
    row(10, 'Collector Identifier', 'collection.collector', xcn),
    dateRow(14, 'Specimen Received Date/Time', 'receivedTime', dateTime),
    row(15, 'Specimen Source', 'type', (part, place) => cweOf('0070')(part.part(1), place)),
    row(15, 'Specimen Source', 'collection.bodySite', sourceSite),
    row(39, "Collector's Comment", 'note[]', comment),
  ],
}

/** SPS.4 and 5 */
function sourceSite(part: Part, place: At): CodeableConcept | undefined {
  const side = cweOf('0542')(part.part(5), place)
  return withModifiers(cweOf('0163')(part.part(4), place), side === undefined ? [] : [side], place.draft)
}

/** OBR-24: what kind of service it is. */
export const sectionOf = (obr: Segment | undefined): ObservationCategory | undefined =>
  rowOf(diagnosticServiceSection, obr?.text(24) ?? '')

/** OBR-4. Codes of laboratories are translated; those of images and procedures need not be in LOINC. */
function universalService(part: Part, place: At): CodeableConcept | undefined {
  const read = cwe(part, place)
  const section = sectionOf(place.segment)
  return read === undefined || (section !== undefined && section !== 'laboratory')
    ? read
    : standardised(read, loinc, place)
}

/** OBR-11: G was generated by the laboratory, as a reflex; A was added to an order. The other codes say nothing here. */
function intent(part: Part): ServiceRequest['intent'] | undefined {
  const code = part.text(1)?.trim().toUpperCase()
  return code === 'G' ? 'reflex-order' : code === 'A' ? 'original-order' : undefined
}

/** OBR-29 (EIP): the order whose result led to this one, by its number. */
function parentOrder(part: Part, place: At): Reference | undefined {
  const { placer, filler } = readEip(part) ?? {}
  const identifier = entityIdentifier(placer, place, 'PLAC') ?? entityIdentifier(filler, place, 'FILL')
  return identifier && { type: 'ServiceRequest', identifier }
}

/** The same for a report. */
export const parentOrders = (obr: Segment, draft: Draft): Reference[] =>
  obr
    .repetitions(29)
    .map((part, repetition) => parentOrder(part, at(draft, obr, 29, repetition)))
    .filter((one) => one !== undefined)

/** NDL, or XCN where senders write one. */
function performerOf(part: Part, place: At): Reference | undefined {
  const isPerson =
    part.count > 1 && part.part(1)?.count === 1 && part.text(2) !== undefined && !/^\d/.test(part.text(2) ?? '')
  return isPerson ? xcn(part, place) : practitioner(readNdl(part)?.person, place)
}

function performerRow(field: number, name: string, code: string, display: string): Row {
  return row(field, name, 'performer[]', (part, place): Reference | undefined => {
    const reference = performerOf(part, place)
    const valueCodeableConcept = { coding: [coding(participationTypes, code, display)] }
    return reference && { ...reference, extension: [{ url: performerFunction, valueCodeableConcept }] }
  })
}

/** OBR-39 is a code or a text. */
function comment(part: Part, place: At): Annotation | undefined {
  const said = cwe(part, place)?.text
  return said === undefined ? undefined : { text: said }
}
