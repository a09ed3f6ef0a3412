import type { Encounter, EncounterParticipant, Patient, Reference } from '../../../../../packages/fhir/r4.ts'
import type { Segment, SegmentList } from '../../../../../packages/hl7/index.ts'
import type { Draft } from '../../draft.ts'
import { putEncounter, type PutEncounter } from '../../encounter.ts'
import { keyText } from '../../keys.ts'
import type { ItemRemoval } from '../../mapped.ts'
import { putObservations } from '../../observations.ts'
import { putPatient, type PutPatient } from '../../patient.ts'
import { putAllergy } from '../../segments/al1.ts'
import { putDiagnoses, type PutDiagnoses } from '../../segments/dg1.ts'
import { putAllergyAction } from '../../segments/iam.ts'
import { putCoverage } from '../../segments/in1.ts'
import { readPrior } from '../../segments/mrg.ts'
import { putProcedure } from '../../segments/pr1.ts'
import { generalPractitioner, participant } from '../../segments/rol.ts'
import type { VisitEvent } from '../../visit-event.ts'
import type { AdtEvent } from './events.ts'
import { renumbered } from './renumbered.ts'

type Segments = Pick<SegmentList, 'segment' | 'segments' | 'all'>
type Event<About> = Extract<AdtEvent, { readonly about: About }>

/** A patient moves: Patient, Encounter, Locations, and what else the message tells of them. */
export function mapVisit(segments: Segments, event: Event<'visit'>, draft: Draft): void {
  const patient = putPatient(segments, draft, { mode: event.patient, saysDeath: event.patient === 'ensure' })
  const encounter = putEncounter(segments, patient, { ...event.visit, ...priorOf(segments, event, draft) }, draft)
  if (event.patient === 'upsert') addDoctors(segments, patient, draft)
  if (encounter !== undefined) addParticipants(segments, encounter, draft)
  putClinical(segments, patient, encounter, draft)
  draft.main ??= (encounter ?? patient).reference.reference
}

/** Whoever comes in from the outpatients or goes back to them may get another number for the same visit (MRG-5). */
function priorOf(segments: Segments, { visit }: Event<'visit'>, draft: Draft): Pick<VisitEvent, 'prior' | 'removes'> {
  const mrg = visit.isRenumbered === true ? segments.segment('MRG') : undefined
  return mrg === undefined ? {} : renumbered(readPrior(mrg, draft).visit, segments, draft)
}

/** A person's record, without a visit. */
export function mapPerson(segments: Segments, { active }: Event<'person'>, draft: Draft): void {
  const patient = putPatient(segments, draft, { mode: 'upsert', ...(active === undefined ? {} : { active }) })
  addDoctors(segments, patient, draft)
  putClinical(segments, patient, undefined, draft)
  draft.main ??= patient.reference.reference
}

/** A deleted person is kept, inactive: others may still refer to the record. */
export function deletePerson(segments: Segments, draft: Draft): void {
  const { reference } = putPatient(segments, draft, { mode: 'amend', active: false })
  draft.main ??= reference.reference
}

function putClinical(segments: Segments, patient: PutPatient, encounter: PutEncounter | undefined, draft: Draft): void {
  const about = { patient, encounter }
  for (const al1 of segments.segments('AL1')) putAllergy(al1, patient, draft)
  for (const iam of segments.segments('IAM')) putAllergyAction(iam, patient, draft)
  const diagnoses = putDiagnoses(segments.segments('DG1'), about, draft)
  if (encounter !== undefined) addDiagnoses(diagnoses, encounter, draft)
  for (const pr1 of segments.segments('PR1')) putProcedure(pr1, about, draft)
  for (const in1 of segments.segments('IN1')) putCoverage(in1, patient, draft)
  const within = keyText((encounter ?? patient).key)
  putObservations(segments.segments('OBX'), { ...about, within, isToldByTime: true }, draft)
}

function addDiagnoses({ entries, takenBack }: PutDiagnoses, { reference }: PutEncounter, draft: Draft): void {
  const write = draft.write(reference)
  const visit = draft.resource('Encounter', reference)
  if (write === undefined || visit === undefined) return
  if (entries.length > 0) visit.diagnosis = [...entries]
  if (takenBack.length === 0) return
  const removes = takenBack.map((condition) => ({
    element: 'diagnosis',
    where: { 'condition.reference': condition.reference },
  }))
  // Sound: the defaults of a visit.
  const defaults = write.defaults as Partial<Encounter>
  draft.replace(visit, { ...write, defaults, removes: [...write.removes, ...removes] })
}

/** ROL belongs to what stands before it: before PV1 to the patient. */
function addDoctors(segments: Segments, { reference }: PutPatient, draft: Draft): void {
  const write = draft.write(reference)
  const person = draft.resource('Patient', reference)
  if (write === undefined || person === undefined) return
  const told = rolesBefore(segments.all, 'PV1').flatMap((rol) => generalPractitioner(rol, draft) ?? [])
  const named = told.flatMap(({ doctor, isOver }) => (isOver ? [] : [doctor]))
  if (named.length > 0) person.generalPractitioner = distinct([...(person.generalPractitioner ?? []), ...named])
  const removes = told.flatMap(({ doctor, isOver }) => (isOver ? [noLongerDoctor(doctor)] : []))
  if (removes.length === 0) return
  // Sound: the defaults of a patient.
  const defaults = write.defaults as Partial<Patient>
  draft.replace(person, { ...write, defaults, removes: [...write.removes, ...removes] })
}

/** PD1-4 and ROL may name the same doctor. */
const distinct = (doctors: readonly Reference[]): Reference[] => [
  ...new Map(doctors.map((one) => [one.reference ?? `${one.type} ${one.display}`, one])).values(),
]

/** Who has no number is told by name. */
const noLongerDoctor = ({ reference, display }: Reference): ItemRemoval => ({
  element: 'generalPractitioner',
  where: reference === undefined ? { reference, display } : { reference },
})

/** After PV1 it belongs to the visit. Those of PR1 and IN1 stay out. */
function addParticipants(segments: Segments, { reference }: PutEncounter, draft: Draft): void {
  const write = draft.write(reference)
  const visit = draft.resource('Encounter', reference)
  if (write === undefined || visit === undefined) return
  const afterVisit = segments.all.slice(segments.all.findIndex(({ name }) => name === 'PV1') + 1)
  const told = rolesBefore(afterVisit, 'PR1').flatMap((rol) => participant(rol, draft) ?? [])
  for (const { someone, isOver } of told) if (!isOver) (visit.participant ??= []).push(someone)
  const removes = told.flatMap(({ someone, isOver }) => (isOver ? [noLongerTakesPart(someone)] : []))
  if (removes.length === 0) return
  // Sound: the defaults of a visit.
  const defaults = write.defaults as Partial<Encounter>
  draft.replace(visit, { ...write, defaults, removes: [...write.removes, ...removes] })
}

/** In that role: whoever attends and was consulted still attends. */
function noLongerTakesPart({ type, individual }: EncounterParticipant): ItemRemoval {
  const { reference, display } = individual ?? {}
  const who = {
    'individual.reference': reference,
    ...(reference === undefined ? { 'individual.display': display } : {}),
  }
  return { element: 'participant', where: { ...who, 'type.0.coding.0.code': type?.[0]?.coding?.[0]?.code } }
}

function rolesBefore(segments: readonly Segment[], end: string): Segment[] {
  const stop = segments.findIndex(({ name }) => name === end || name === 'IN1')
  return (stop < 0 ? segments : segments.slice(0, stop)).filter(({ name }) => name === 'ROL')
}
