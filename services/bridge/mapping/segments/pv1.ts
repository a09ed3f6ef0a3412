import type {
  EncounterLocation,
  EncounterParticipant,
  EpisodeOfCare,
  Location,
  Reference,
} from '../../../../packages/fhir/r4.ts'
import { readPl, type Part, type Segment } from '../../../../packages/hl7/index.ts'
import { type At, at } from '../at.ts'
import { codeText, coding, concept, mapCode, v2System } from '../code-map.ts'
import type { Draft } from '../draft.ts'
import { cx, cxAs } from '../dt/cx.ts'
import { cweOf } from '../dt/cwe.ts'
import { ei } from '../dt/ei.ts'
import { location, locations, pl } from '../dt/pl.ts'
import { dateTime } from '../dt/ts.ts'
import { xcn } from '../dt/xcn.ts'
import { readableKey } from '../drafted-keys.ts'
import { identifierKey, keyIdentifier } from '../keys.ts'
import { dateRow, row, type Row, type SegmentMap } from '../segment-map.ts'
import { patientClass } from '../v/0004-patient-class.ts'
import { bedStatus } from '../v/0116-bed-status.ts'

/** PV1 to Encounter. Where the patient is (3, 6, 11, 42, 43) depends on the event (`encounter-locations.ts`). */
export const pv1ToEncounter: SegmentMap = {
  segment: 'PV1',
  resource: 'Encounter',
  rows: [
    row(2, 'Patient Class', 'class', encounterClass),
    row(4, 'Admission Type', 'type[]', cweOf('0007')),
    row(5, 'Preadmit Number', 'hospitalization.preAdmissionIdentifier', cx),
    participantRow(7, 'Attending Doctor', 'ATND', 'attender'),
    participantRow(8, 'Referring Doctor', 'REF', 'referrer'),
    participantRow(9, 'Consulting Doctor', 'CON', 'consultant'),
    row(10, 'Hospital Service', 'serviceType', cweOf('0069')),
    row(13, 'Re-admission Indicator', 'hospitalization.reAdmission', cweOf('0092')),
    row(14, 'Admit Source', 'hospitalization.admitSource', cweOf('0023')),
    row(15, 'Ambulatory Status', 'hospitalization.specialArrangement[]', cweOf('0009')),
    row(16, 'VIP Indicator', 'hospitalization.specialCourtesy[]', cweOf('0099')),
    participantRow(17, 'Admitting Doctor', 'ADM', 'admitter'),
    row(19, 'Visit Number', 'identifier[]', cxAs('VN')),
    row(36, 'Discharge Disposition', 'hospitalization.dischargeDisposition', cweOf('0112')),
    row(37, 'Discharged to Location', 'hospitalization.destination', destination),
    row(38, 'Diet Type', 'hospitalization.dietPreference[]', cweOf('0114')),
    dateRow(44, 'Admit Date/Time', 'period.start', dateTime),
    dateRow(45, 'Discharge Date/Time', 'period.end', dateTime),
    row(50, 'Alternate Visit ID', 'identifier[]', cx),
    participantRow(52, 'Other Healthcare Provider', 'PART', 'Participation'),
  ],
}

function encounterClass(part: Part, place: At): unknown {
  const code = codeText(part.text(1))
  const mapped = mapCode(patientClass, code, place)
  if (mapped !== undefined) return coding(`http://terminology.hl7.org/CodeSystem/${mapped.system}`, mapped.code)
  return code && coding(v2System('0004'), code)
}

/** One of the places of PV1 (a PL field) with the state that the event gives it. */
export function encounterLocation(
  segment: Segment,
  field: number,
  status: EncounterLocation['status'],
  draft: Draft,
): EncounterLocation | undefined {
  const place = at(draft, segment, field)
  const reference = pl(segment.part(field), place)
  if (reference === undefined) return undefined
  return status === undefined ? { location: reference } : { location: reference, status }
}

/** PV1-11, or PV1-43 where it was left: a temporary place, marked as such. */
export function temporaryLocation(
  pv1: Segment,
  field: 11 | 43,
  status: EncounterLocation['status'],
  draft: Draft,
): EncounterLocation | undefined {
  const found = encounterLocation(pv1, field, status, draft)
  return found && { ...found, extension: [{ url: temporaryPlace(draft), valueBoolean: true }] }
}

export const temporaryPlace = (draft: Draft): string => draft.extensionUrl('temporary-location')

/** PV1-40 to Location.operationalStatus of the room or bed of PV1-3. */
export function putBedStatus(
  segment: Segment,
  placeField: number,
  statusField: number,
  draft: Draft,
): Reference | undefined {
  const status = codeText(segment.text(statusField))
  const read = status === undefined ? undefined : readPl(segment.part(placeField))
  if (status === undefined || read === undefined || (read.room === undefined && read.bed === undefined)) {
    return undefined
  }
  const place = at(draft, segment, placeField)
  const display = mapCode(bedStatus, status, at(draft, segment, statusField))
  const innermost = locations(read, place).at(-1)
  if (innermost === undefined) return undefined
  const operationalStatus = coding(v2System('0116'), status, display)
  const resource: Location = { ...innermost.resource, operationalStatus }
  const [identifier = {}] = resource.identifier ?? []
  return draft.put(resource, { key: identifierKey(identifier) })
}

/** PV1-54 to EpisodeOfCare, with PV1-53 as its description. */
export function episodeOfCare(pv1: Segment, patient: Reference, draft: Draft): Reference | undefined {
  const identifier = ei()(pv1.part(54), at(draft, pv1, 54))
  if (identifier === undefined) return undefined
  const description = pv1.text(53)
  const resource: Omit<EpisodeOfCare, 'status'> = {
    resourceType: 'EpisodeOfCare',
    identifier: [identifier],
    patient,
    managingOrganization: { reference: draft.context.facility.organization },
    ...(description === undefined ? {} : { type: [{ text: description }] }),
  }
  // Sound: the default gives the status that R4 demands.
  return draft.put(resource as EpisodeOfCare, { key: identifierKey(identifier), defaults: { status: 'active' } })
}

export const participationTypes = 'http://terminology.hl7.org/CodeSystem/v3-ParticipationType'

export function participantRow(field: number, name: string, code: string, display: string): Row {
  const rule = (part: Part, place: At): EncounterParticipant | undefined => {
    const individual = xcn(part, place)
    return individual && { type: [concept(participationTypes, code, display)], individual }
  }
  return row(field, name, 'participant[]', rule, {
    element: 'participant',
    where: { 'type.0.coding.0.code': code },
  })
}

/** PV1-37 (DLD): the code of a place outside; PL where a sender writes one. */
function destination(part: Part, place: At): Reference | undefined {
  const code = part.text(1)?.trim()
  if (code === undefined || code === '') return undefined
  if (part.count > 2) return location(readPl(part), place)
  const key = readableKey(place.draft, 'discharged-to', code)
  const name = part.text(1, 2) ?? code
  const resource: Location = { resourceType: 'Location', identifier: [keyIdentifier(key)], name, mode: 'instance' }
  return { ...place.draft.put(resource, { key, mode: 'ensure' }), display: name }
}
