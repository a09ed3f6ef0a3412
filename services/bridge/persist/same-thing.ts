import { conflict } from '../../../packages/faults/fault.ts'
import type { Appointment, CodeableConcept, Encounter, FhirResource, Identifier } from '../../../packages/fhir/r4.ts'
import { isAnotherPerson } from '../mapping/another-person.ts'
import { isAmong } from '../mapping/distinct-identifiers.ts'
import { keyIdentifier, keysOf } from '../mapping/keys.ts'
import type { Key, Write } from '../mapping/mapped.ts'
import { patientOf, patientsOf } from '../mapping/patient-of.ts'
import { numberOfAnother } from '../mapping/refusals.ts'
import { identifiersOf } from './identifiers-of.ts'
import type { StoredResource, TakenNumber } from './stored.ts'
import { meantOf } from './meant-of.ts'
import { isOfOtherTime } from './time-of-result.ts'

/** What was found for a write, by its key, each of its exact keys and each of its other keys. */
export interface FoundByKeys {
  readonly byKey: readonly StoredResource[]
  readonly byExact: readonly (readonly StoredResource[])[]
  readonly byOthers: readonly { readonly key: Key; readonly found: readonly StoredResource[] }[]
}

export interface SameThing {
  readonly meant?: StoredResource | undefined
  /** It is only mentioned, or taken back, and what has its number is something else, of another patient. */
  readonly isAnothers?: true
  /** Numbers of the write that another stored thing has. They stay there. */
  readonly taken: readonly TakenNumber[]
}

/**
 * Which of the things that have one of its numbers a write means. Its key decides; what only another number finds is
 * meant where nothing speaks against it. A wrong record is worse than a second one.
 * @param isOfAnother whether a stored thing is another patient's
 */
export function sameThing(
  write: Write,
  { byKey: numbered, byExact, byOthers }: FoundByKeys,
  isOfAnother: (stored: StoredResource) => boolean,
): SameThing {
  const byExactKeys = byExact.map((found) => found.filter((one) => !isOfAnother(one)))
  const exact = byExactKeys.find((found) => found.length === 1) ?? byExactKeys[0] ?? []
  if (exact.length > 0) return theExactOne(meantOf(exact), write, byOthers)
  const withKey = withoutPanels(numbered, write)
  const isMeant = (one: StoredResource) =>
    !(isOfAnother(one) && isSomethingElse(one, write)) && !isOtherOfNobody(one, write)
  const byKey = withKey.filter(isMeant)
  const isLeft = isOnlyMentioned(write) || write.leavesTrace === true
  if (byKey.length === 0 && withKey.length > 0 && isLeft) return { isAnothers: true, taken: [] }
  if (byKey.length === 0 && withKey.length > 0 && write.mode !== 'amend')
    throw conflict('The number is that of something else, of another patient.', { code: numberOfAnother })
  if (byOthers.length === 0 && byKey.length < 2) return { meant: meantOf(byKey), taken: [] }
  const own = numbersOf(write)
  const isSame = (one: StoredResource) =>
    !isNumberedOtherwise(one, own) &&
    !isOtherNumber(one, write) &&
    !isOfAnother(one) &&
    !isAnotherPerson(write.resource, one) &&
    !isOtherService(one, write) &&
    !isOtherMeasurement(one, write)
  const fitting = byKey.length < 2 ? [] : byKey.filter(isSame)
  const first = meantOf(fitting.length === 0 ? byKey : fitting)
  const alike = byOthers.map(({ key, found }) => ({ key, found: found.filter(isSame) }))
  const others = new Map(alike.flatMap(({ found }) => found.map((one) => [one.id, one])))
  const [only] = others.size === 1 ? others.values() : []
  // A placer may give several services one number; then the filler's says which of them it is.
  const isOfFiller = first !== undefined && isNumberedOtherwise(first, own.filter(isFillers))
  const meant = first === undefined || isOfFiller ? (only ?? first) : first
  const isElsewhere = (found: readonly StoredResource[]) => found.some(({ id }) => id !== meant?.id)
  const doubtful = alike.filter(({ found }) => isElsewhere(found)).map(({ key }) => ({ ...key, isDoubtful: true }))
  const held = isAllergy(write)
    ? byOthers.filter(({ found }) => isElsewhere(found)).map(({ key }) => undoubted(key))
    : []
  return { meant, taken: [...doubtful, ...held, ...(meant === first ? [] : keyOfOther(write, first))] }
}

/**
 * Its key and its other numbers are those of the first of several; but the other number of an order or a prescription is its own
 * where nothing else has it.
 */
function theExactOne(meant: StoredResource | undefined, write: Write, byOthers: FoundByKeys['byOthers']): SameThing {
  const isNumbered =
    write.resource.resourceType === 'ServiceRequest' || write.resource.resourceType === 'MedicationRequest'
  const own = isNumbered
    ? byOthers.filter(({ found }) => found.every(({ id }) => id === meant?.id)).map(({ key }) => key)
    : []
  return {
    meant,
    taken: inexactKeys(write)
      .filter((key) => !own.includes(key))
      .map(undoubted),
  }
}

/** An allergy carries the key of its substance. Where two of one substance are numbered, the first has it. */
const isAllergy = ({ resource }: Write): boolean => resource.resourceType === 'AllergyIntolerance'

/** A visit of a result or an order, which does not change it; the order of a result, which does not say whose it is. */
export const isOnlyMentioned = ({ mode, resource }: Write): boolean =>
  mode === 'ensure'
    ? resource.resourceType === 'Encounter'
    : resource.resourceType === 'ServiceRequest' && patientOf(resource) === undefined

/** The panel that has told a result since has its number, too: what is said of the result itself is not said of that. */
function withoutPanels(found: readonly StoredResource[], { resource, toldIn }: Write): readonly StoredResource[] {
  if (resource.resourceType !== 'Observation' || (toldIn === undefined && found.length < 2)) return found
  const alone = found.filter((one) => one.resourceType !== 'Observation' || one.component === undefined)
  return toldIn === undefined && (alone.length === 0 || resource.component !== undefined) ? found : alone
}

/** What one patient's has of another's number did not move to them: the number is of another kind, or given again. */
const isSomethingElse = (one: StoredResource, write: Write): boolean =>
  [movesNothing, callsOff].some((holds) => holds(write)) ||
  [isOtherNumber, isOtherService, isOtherVisit, isOtherAppointment, isOfOtherDay].some((differs) => differs(one, write))

/** To call something off (A11, S15, an order, OBR-25 X, RXA-21 D, T11), or to merge a visit into another (A42), does not correct whose it is. */
function callsOff(write: Write): boolean {
  const { resource } = write
  // A result that was called off says so of the order that goes with it.
  if (isOnlyMentioned(write)) return false
  const status = 'status' in resource && typeof resource.status === 'string' ? resource.status : ''
  return calledOff.has(`${resource.resourceType} ${status}`)
}

const calledOff: ReadonlySet<string> = new Set([
  ...['Encounter cancelled', 'Encounter entered-in-error'],
  ...['ServiceRequest revoked', 'ServiceRequest entered-in-error'],
  ...['MedicationRequest stopped', 'MedicationRequest cancelled', 'MedicationRequest entered-in-error'],
  ...['Immunization entered-in-error', 'DocumentReference entered-in-error', 'DiagnosticReport cancelled'],
  ...['Appointment cancelled', 'Appointment entered-in-error', 'Appointment noshow'],
])

/** A visit that has ended and is told to go on, or that began or ended on another day than it is told to. */
const isOtherVisit = (one: StoredResource, { resource }: Write): boolean =>
  one.resourceType === 'Encounter' &&
  resource.resourceType === 'Encounter' &&
  ((one.status === 'finished' && underWay.has(resource.status)) ||
    isAnotherDay(one.period?.start, resource.period?.start) ||
    isAnotherDay(one.period?.end, resource.period?.end))

/**
 * One that was kept, or missed, is not planned again; and one of another day is another one, however near: diaries are counted from
 * one every day.
 */
const isOtherAppointment = (one: StoredResource, { resource }: Write): boolean =>
  one.resourceType === 'Appointment' &&
  resource.resourceType === 'Appointment' &&
  ((past.has(one.status) && ahead.has(resource.status)) || isOtherStart(one, resource))

/**
 * SIU need not say whose an appointment is. One that it books, or calls off, on another day than that of the patient who has the
 * number is not theirs: their number was given again. A day to which one was moved is said by what moves it (S13, S14).
 */
const isOtherOfNobody = (one: StoredResource, write: Write): boolean =>
  one.resourceType === 'Appointment' &&
  write.resource.resourceType === 'Appointment' &&
  patientsOf(write.resource).length === 0 &&
  patientsOf(one).length > 0 &&
  (write.isNew === true || callsOff(write)) &&
  isOtherStart(one, write.resource)

/** On another day; one moment may be of two days, by two clocks. */
const isOtherStart = ({ start: one }: Appointment, { start: other }: Appointment): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.slice(0, 10) !== other.slice(0, 10) &&
  Date.parse(one) !== Date.parse(other)

const past = new Set<Appointment['status']>(['fulfilled', 'noshow'])
const ahead = new Set<Appointment['status'] | undefined>(['proposed', 'pending', 'waitlist', 'booked'])

/** Who begins to count anew gives a number to the same service, drug or vaccine of somebody else, on another day. */
const isOfOtherDay = (one: StoredResource, { resource }: Write): boolean =>
  one.resourceType === resource.resourceType && isAnotherDay(dayOf(one), dayOf(resource))

/** When a thing was, which its later messages say again. Visits have two such days. */
function dayOf(resource: FhirResource): string | undefined {
  const { resourceType: type } = resource
  if (type === 'DiagnosticReport') return resource.effectiveDateTime ?? resource.effectivePeriod?.start
  if (type === 'ServiceRequest' || type === 'MedicationRequest') return resource.authoredOn
  if (type === 'DocumentReference') return resource.date
  return type === 'Immunization' ? resource.occurrenceDateTime : undefined
}

/** Corrected by more than a day; NaN, where one of them is not told, is not. */
const isAnotherDay = (one = '', other = ''): boolean => Math.abs(Date.parse(one) - Date.parse(other)) > dayMs

const dayMs = 24 * 3_600_000

const underWay = new Set<Encounter['status'] | undefined>(['planned', 'arrived', 'triaged', 'in-progress', 'onleave'])

/** It does not say whose it is, only whose it must be: what is another patient's stays theirs. */
const movesNothing = ({ mode, resource }: Write): boolean =>
  patientOf(resource) === undefined && (mode === 'amend' || resource.resourceType === 'Encounter')

/** The number that the service has which the placer named first. */
const keyOfOther = ({ key }: Write, first: StoredResource | undefined): TakenNumber[] =>
  first === undefined ? [] : [undoubted(key)]

const undoubted = (key: Key): TakenNumber => ({ ...key, isDoubtful: false })

/** Those that others of one number may have, too. */
const inexactKeys = (write: Write): readonly Key[] =>
  keysOf(write).filter((key) => write.exactKeys?.includes(key) !== true)

/** Its numbers as they tell it from others of its kind: those that it is found by, and those of its order. */
function numbersOf(write: Write): readonly Identifier[] {
  const keys = inexactKeys(write).map(keyIdentifier)
  const isKey = isAmong(keys)
  const own = identifiersOf(write.resource).filter((one) => isKey(one) || isOfOrder(one))
  // What it was found by before it had a number speaks against nothing.
  return numberedLater.has(write.resource.resourceType) ? [...own, ...keys.slice(1)] : own
}

/** Those of which a further key is no number, but made of what they are (1188). */
const numberedLater: ReadonlySet<string> = new Set([
  ...['Observation', 'DiagnosticReport', 'AllergyIntolerance', 'Condition', 'Procedure', 'RelatedPerson'],
])

/** A result of another time is another measurement. */
const isOtherMeasurement = (one: StoredResource, { resource }: Write): boolean =>
  one.resourceType === 'Observation' && resource.resourceType === 'Observation' && isOfOtherTime(one, resource)

/** Whether it has another number of a kind of which the message has one too. */
function isNumberedOtherwise(stored: StoredResource, own: readonly Identifier[]): boolean {
  const there = identifiersOf(stored)
  const isIn = (list: readonly Identifier[], one: Identifier) => list.some((other) => isSameNumber(one, other))
  return own.some((one) => !isIn(there, one) && there.some((other) => !isIn(own, other) && isSameKind(one, other)))
}

/** Two of one authority may have one value: the placer's number of an order, and the filler's of another. */
const isSameNumber = (one: Identifier, other: Identifier): boolean =>
  one.system === other.system && one.value === other.value && !isOfOtherKind(one, other)

const isOfOtherKind = (one: Identifier, other: Identifier): boolean =>
  kindOf(one) !== undefined && kindOf(other) !== undefined && kindOf(one) !== kindOf(other)

/** Whether the number of the key is there as one of another kind. */
function isOtherNumber(stored: StoredResource, { key, resource }: Write): boolean {
  const ofKey = (one: Identifier) => one.system === key.system && one.value === key.value
  const [own, there] = [identifiersOf(resource).find(ofKey), identifiersOf(stored).filter(ofKey)]
  return own !== undefined && there.length > 0 && there.every((one) => isOfOtherKind(own, one))
}

const isSameKind = (one: Identifier, other: Identifier): boolean =>
  kindOf(one) === kindOf(other) && (kindOf(one) !== undefined || one.system === other.system)

const kindOf = ({ type }: Identifier): string | undefined => type?.coding?.[0]?.code

const isFillers = (one: Identifier): boolean => kindOf(one) === 'FILL'

const isOfOrder = (one: Identifier): boolean => isFillers(one) || kindOf(one) === 'PLAC'

/** Laboratories give several services one number. A report has its service in its key. */
export function isOtherService(
  stored: StoredResource,
  { resource, defaults }: Pick<Write, 'resource' | 'defaults'>,
): boolean {
  const [said, there] = [serviceOf({ ...defaults, ...resource }), serviceOf(stored)]
  if (said === undefined || there === undefined) return false
  const names = new Set(namesOf(there))
  return !namesOf(said).some((name) => names.has(name))
}

function serviceOf(resource: object): CodeableConcept | undefined {
  // Sound: the only types of these names and members.
  const { resourceType, code, medicationCodeableConcept, vaccineCode } = resource as {
    readonly resourceType?: string
    readonly code?: CodeableConcept
    readonly medicationCodeableConcept?: CodeableConcept
    readonly vaccineCode?: CodeableConcept
  }
  return resourceType === 'ServiceRequest' ? code : (medicationCodeableConcept ?? vaccineCode)
}

const namesOf = ({ coding = [], text }: CodeableConcept): string[] =>
  coding.length === 0 ? [text ?? ''] : coding.map(({ system, code }) => `${system}|${code}`)
