import type { Appointment, AppointmentParticipant, Identifier } from '../../../../../packages/fhir/r4.ts'
import type { Segment, SegmentList } from '../../../../../packages/hl7/index.ts'
import { at } from '../../at.ts'
import { compact } from '../../compact.ts'
import type { Draft } from '../../draft.ts'
import { cwe } from '../../dt/cwe.ts'
import { identifierKey, isSameKey } from '../../keys.ts'
import type { ItemRemoval, Key } from '../../mapped.ts'
import { putPatient, type PutPatient } from '../../patient.ts'
import { missingField, missingSegment, unsupportedEvent } from '../../refusals.ts'
import { readSegment, type Said } from '../../segment-map.ts'
import { aisToAppointment } from '../../segments/ais.ts'
import { putDiagnosis } from '../../segments/dg1.ts'
import { putProvenance } from '../../segments/evn.ts'
import { triggerOf } from '../../segments/msh.ts'
import { note, notesIn } from '../../segments/nte.ts'
import { schToAppointment } from '../../segments/sch.ts'
import { segmentsOfEach } from '../../patient-groups.ts'
import { hasCancellationReason, patientParticipant, resourceParticipant, statusOf } from './appointment.ts'
import { type ScheduleEvent, scheduleEvents } from './events.ts'
import { allTimes, scheduledResources } from './resources.ts'
import type { ScheduledResource } from './scheduled-resource.ts'
import { freeSlots, setSlots, takeSlots } from './slots.ts'
import { appointmentTimes, type Times } from './times.ts'

type AppointmentEvent = Extract<ScheduleEvent, { readonly about: 'appointment' }>

/** SIU: appointments, and the slots that they take of people's, rooms' and devices' schedules. */
export function mapSiu(draft: Draft): void {
  const trigger = triggerOf(draft)
  const event = Object.hasOwn(scheduleEvents, trigger) ? scheduleEvents[trigger] : undefined
  if (event === undefined) unsupportedEvent('SIU', draft)
  const resources = scheduledResources(draft)
  const times = appointmentTimes(allTimes(resources, draft), draft)
  if (event.about === 'slots') {
    const [first] = setSlots(resources, times, event.status, draft)
    if (first === undefined) missingSegment('AIP', draft)
    draft.main = first.reference
  } else mapAppointment(event, resources, times, draft)
  putProvenance(draft)
}

function mapAppointment(
  event: AppointmentEvent,
  resources: readonly ScheduledResource[],
  times: Times | undefined,
  draft: Draft,
): void {
  const sch = draft.message.segment('SCH') ?? missingSegment('SCH', draft)
  const groups = draft.message.has('PID') ? segmentsOfEach(draft) : []
  const patients = groups.map((segments) => ({ segments, ...putPatient(segments, draft) }))
  const said = readSegment(schToAppointment, sch, draft)
  for (const ais of draft.message.segments('AIS')) readSegment(aisToAppointment, ais, draft, said)
  const elements = said.elements as Partial<Appointment>
  const key = appointmentKey(elements.identifier, draft)
  const status = statusOf(event, sch, times, draft)
  const isLeaving = event.services === 'leave'
  const participant: AppointmentParticipant[] = [
    ...patients.map(({ reference }) => patientParticipant(reference, status)),
    ...(isLeaving ? [] : resources.map((resource) => resourceParticipant(resource, status, event))),
    ...(elements.participant ?? []),
  ]
  if (participant.length === 0) missingSegment('PID', draft)
  const otherKeys = (elements.identifier ?? []).map(identifierKey).filter((one) => !isSameKey(one, key))
  const numbers = [draft.knownKey('Appointment', key), key, ...otherKeys] as const
  const slot = slotsOf(event, resources, times, numbers, status, draft)
  const reason = cwe(sch.part(6), at(draft, sch, 6))
  const notes = notesOf(draft)
  const { serviceType, ...others } = elements
  const resource = compact<Partial<Appointment>>({
    ...others,
    resourceType: 'Appointment',
    status,
    ...(isLeaving ? {} : { serviceType }),
    reasonReference: reasonsOf(patients, draft),
    cancelationReason: hasCancellationReason(status) ? reason : undefined,
    start: times?.start,
    end: times?.end,
    minutesDuration: times?.minutes,
    comment: note(notes.own, draft)?.text,
    // R5 has the element; in R4 its extension says the same.
    extension: notesIn(notes.others, draft).map((valueAnnotation) => ({ url: appointmentNote, valueAnnotation })),
    slot,
    participant,
  })
  // Sound: the default gives the status that R4 demands.
  draft.main = draft.put(resource as Appointment, {
    key,
    otherKeys,
    isNew: event.isNew === true,
    // What was deleted, and whoever did not come, was told of before; without a time there would be nothing to keep.
    mode:
      times === undefined && status !== undefined && status !== 'cancelled' && event.isFinal === true
        ? 'amend'
        : 'upsert',
    defaults: { status: times === undefined ? 'proposed' : 'booked' },
    deletes: [...said.deletes, ...(hasCancellationReason(status) || status === undefined ? [] : ['cancelationReason'])],
    removes: [...said.removes, ...leavers(event, resources, patients, said)],
  }).reference
}

/** The filler's number, which every message of it has; else the placer's. */
function appointmentKey(identifiers: readonly Identifier[] | undefined, draft: Draft): Key {
  const filler = identifiers?.find(({ type }) => type?.coding?.[0]?.code === 'FILL')
  const found = filler ?? identifiers?.[0]
  return found === undefined ? missingField('SCH', 2, draft) : identifierKey(found)
}

/** What it had taken is free when the appointment is over or may have moved; then it takes the slots of its time. */
function slotsOf(
  event: AppointmentEvent,
  resources: readonly ScheduledResource[],
  times: Times | undefined,
  numbers: readonly [Key, ...Key[]],
  status: Appointment['status'] | undefined,
  draft: Draft,
) {
  const isOver = status === 'cancelled' || status === 'entered-in-error' || event.services === 'leave'
  if (isOver || (times !== undefined && event.isNew !== true)) freeSlots(resources, numbers, draft)
  if (isOver) return []
  return takeSlots(
    resources,
    times,
    numbers[0],
    status === 'pending' || status === 'waitlist' ? 'busy-tentative' : 'busy',
    draft,
  )
}

/** A message that names services or resources names all of them, unless its event is about some; one with PID names all patients. */
function leavers(
  event: AppointmentEvent,
  resources: readonly ScheduledResource[],
  patients: readonly PutPatient[],
  { elements }: Said,
): ItemRemoval[] {
  const others: readonly ItemRemoval[] =
    patients.length === 0 ? [] : [{ element: 'participant', where: {}, ofActor: 'Patient' }]
  if (event.services === 'leave') {
    const types = (elements['serviceType'] as Appointment['serviceType']) ?? []
    return [
      ...others,
      ...resources.map(({ actor }) => ({
        element: 'participant',
        where: { 'actor.reference': actor.reference ?? '' },
      })),
      ...types.map((type) => ({ element: 'serviceType', where: { 'coding.0.code': type.coding?.[0]?.code ?? '' } })),
    ]
  }
  if (event.services === 'join') return [...others]
  const people: ItemRemoval = {
    ...{ element: 'participant', where: {} },
    ...(patients.length === 0 ? { exceptActor: 'Patient' } : {}),
  }
  return [
    ...(resources.length === 0 ? others : [people, { element: 'slot', where: {} }]),
    ...(elements['serviceType'] === undefined ? [] : [{ element: 'serviceType', where: {} }]),
  ]
}

/** DG1: why it takes place, for each patient their own. */
function reasonsOf(patients: readonly ToldPatient[], draft: Draft): Appointment['reasonReference'] {
  if (patients.length === 0) return undefined
  return patients.flatMap((patient) =>
    patient.segments.segments('DG1').flatMap((dg1) => putDiagnosis(dg1, { patient }, draft)?.condition ?? []),
  )
}

/** With what is said of them. */
interface ToldPatient extends PutPatient {
  readonly segments: SegmentList
}

const appointmentNote = 'http://hl7.org/fhir/5.0/StructureDefinition/extension-Appointment.note'

/** NTE right after SCH (and its TQ1) is about the appointment; the others are about its services and resources. */
function notesOf({ message }: Draft): { readonly own: readonly Segment[]; readonly others: readonly Segment[] } {
  const from = message.all.findIndex(({ name }) => name === 'SCH') + 1
  const rest = message.all.slice(from)
  const end = rest.findIndex(({ name }) => name !== 'NTE' && name !== 'TQ1')
  const count = end < 0 ? rest.length : end
  return { own: rest.slice(0, count).filter(({ name }) => name === 'NTE'), others: rest.slice(count) }
}
