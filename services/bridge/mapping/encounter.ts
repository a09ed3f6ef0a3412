import type { Encounter, Identifier, Reference } from '../../../packages/fhir/r4.ts'
import type { Segment, SegmentList } from '../../../packages/hl7/index.ts'
import { at, warnAt } from './at.ts'
import { coding, rowOf } from './code-map.ts'
import { compact } from './compact.ts'
import { isAmong } from './distinct-identifiers.ts'
import type { Draft } from './draft.ts'
import { deleteElement } from './element-path.ts'
import { cxAs } from './dt/cx.ts'
import { dateTime, isOrdered } from './dt/ts.ts'
import { derivedKey, positionKey } from './drafted-keys.ts'
import { identifierKey, isSameKey, keyIdentifier, keyOfPatient, keyText } from './keys.ts'
import type { Key } from './mapped.ts'
import type { PutPatient } from './patient.ts'
import { checkOnePatient } from './refusals.ts'
import { readSegment } from './segment-map.ts'
import { emptiedPlaces, encounterLocations } from './encounter-locations.ts'
import { eventSaidAt } from './segments/evn.ts'
import { episodeOfCare, putBedStatus, pv1ToEncounter } from './segments/pv1.ts'
import { pv2ToEncounter } from './segments/pv2.ts'
import type { VisitEvent } from './visit-event.ts'
import { isMoment, timeName } from './time-name.ts'
import { patientClassStatus } from './v/0004-patient-class.ts'

type Segments = Pick<SegmentList, 'segment' | 'segments'>
type Status = Encounter['status']

export interface PutEncounter {
  readonly reference: Reference
  /** As the store knows it: what belongs to the visit is found by it. */
  readonly key: Key
}

/** The visit of PV1 and PV2, as an event changes it. None without PV1, or when PV1-2 says that there is none (N). */
export function putEncounter(
  segments: Segments,
  patient: PutPatient,
  event: VisitEvent,
  draft: Draft,
): PutEncounter | undefined {
  const pv1 = segments.segment('PV1')
  if (pv1 === undefined || pv1.text(2)?.trim() === 'N') return undefined
  const key =
    visitNumber(segments, draft) ??
    (event.prior === undefined ? fallbackKey(pv1, patient, draft) : identifierKey(event.prior))
  const before = event.prior === undefined ? [] : [identifierKey(event.prior)]
  for (const one of [key, ...before]) checkOnePatient('Encounter', one, patient.reference, at(draft, pv1, 19))
  return put(segments, pv1, patient, key, event, draft)
}

/**
 * The visit that a result or an order mentions: created when the store has none, never changed. Undefined when the
 * message has no visit number, because then it could not be found again.
 */
export function mentionEncounter(segments: Segments, patient: PutPatient, draft: Draft): PutEncounter | undefined {
  const pv1 = segments.segment('PV1')
  const key = pv1 === undefined || pv1.text(2)?.trim() === 'N' ? undefined : visitNumber(segments, draft)
  if (pv1 === undefined || key === undefined) return undefined
  const isOfMessage = draft.isAnothers('Encounter', key, patient.reference)
  if (isOfMessage)
    warnAt(at(draft, pv1, 19), 'shared-number', 'Another patient of this message has a visit of this number.')
  // Whose visit of this number is not the patient's is named by it alone.
  if (isOfMessage || draft.isKnownAsAnothers('Encounter', key, patient.key))
    return { reference: { type: 'Encounter', identifier: keyIdentifier(key) }, key: keyOfPatient(key, patient.key) }
  return put(
    segments,
    pv1,
    patient,
    key,
    { status: 'stored', assigned: 'active', withoutPrior: true, mode: 'ensure' },
    draft,
  )
}

/** PV1-19, or PID-18 where the channel says that it is the visit number. */
export function visitNumber(segments: Segments, draft: Draft): Key | undefined {
  const pv1 = segments.segment('PV1')
  const pid = segments.segment('PID')
  const fromPv1 = pv1 && cxAs('VN')(pv1.part(19), at(draft, pv1, 19))
  const isAccount = draft.context.settings.visitNumber === 'PID-18'
  const fromPid = isAccount && pid !== undefined ? cxAs('VN')(pid.part(18), at(draft, pid, 18)) : undefined
  const found = fromPv1 ?? fromPid
  return found && identifierKey(found)
}

/** Without a visit number: the alternate one; else patient and admission; else this message alone. */
function fallbackKey(pv1: Segment, patient: PutPatient, draft: Draft): Key {
  const [alternate] = alternateNumber(pv1, draft)
  if (alternate !== undefined) return alternate
  const admitted = timeName(pv1.part(44), draft, 'minute')
  if (admitted !== undefined) return admissionKey(admitted, patient, draft)
  warnAt(at(draft, pv1, 19), 'not-kept', 'There is no visit number: later messages cannot find this visit.')
  return positionKey(draft, pv1)
}

const admissionKey = (admitted: string, patient: PutPatient, draft: Draft): Key =>
  derivedKey(draft, 'visit', keyText(patient.key), admitted)

/** A visit that has a number now may have been told without one before. Several may have begun on one day, not in one minute. */
function ofAdmission(pv1: Segment, patient: PutPatient, draft: Draft): Key[] {
  const admitted = timeName(pv1.part(44), draft, 'minute')
  return admitted === undefined || !isMoment(admitted) ? [] : [admissionKey(admitted, patient, draft)]
}

function alternateNumber(pv1: Segment, draft: Draft): Key[] {
  const alternate = cxAs('PV1-50')(pv1.part(50), at(draft, pv1, 50))
  return alternate === undefined ? [] : [identifierKey(alternate)]
}

function put(
  segments: Segments,
  pv1: Segment,
  patient: PutPatient,
  key: Key,
  event: VisitEvent,
  draft: Draft,
): PutEncounter {
  const said = readSegment(pv1ToEncounter, pv1, draft)
  const pv2 = segments.segment('PV2')
  if (pv2 !== undefined) readSegment(pv2ToEncounter, pv2, draft, said)
  const { elements } = said
  for (const path of event.deletes ?? []) deleteElement(elements, path)
  const period = periodOf(elements['period'], pv1, event, draft)
  const episode = episodeOfCare(pv1, patient.reference, draft)
  const status = statusOf(event, period)
  const { period: _period, ...others } = elements
  const resource = compact<Omit<Encounter, 'status' | 'class'> & Partial<Pick<Encounter, 'class'>>>({
    ...(others as Partial<Encounter>),
    resourceType: 'Encounter',
    identifier: withPrior(withKey(elements['identifier'] as Encounter['identifier'], key), event.prior),
    ...(status === undefined ? {} : { status }),
    ...(event.class === undefined || elements['class'] !== undefined ? {} : { class: actClass(event.class) }),
    ...(event.keepsPatient === true ? {} : { subject: patient.reference }),
    period,
    location: encounterLocations(pv1, pv2, event, draft),
    ...(episode === undefined ? {} : { episodeOfCare: [episode] }),
    ...(patient.account === undefined ? {} : { account: [patient.account] }),
  })
  const defaults: Partial<Encounter> = {
    status: rowOf(patientClassStatus, pv1.text(2) ?? '') ?? 'in-progress',
    class: unknownClass,
    ...(event.keepsPatient === true ? { subject: patient.reference } : {}),
    serviceProvider: { reference: draft.context.facility.organization },
  }
  const soughtFirst = event.prior === undefined ? key : identifierKey(event.prior)
  const reference = draft.put(resource as Encounter, {
    key: soughtFirst,
    otherKeys: [
      key,
      ...alternateNumber(pv1, draft),
      ...(event.mode === 'ensure' ? [] : ofAdmission(pv1, patient, draft)),
    ].filter((other) => !isSameKey(other, soughtFirst)),
    defaults,
    mode: event.mode ?? 'upsert',
    leavesTrace: event.leavesTrace === true,
    movesFrom: event.movesFrom,
    deletes: [...said.deletes, ...(event.deletes ?? [])],
    removes: [...said.removes, ...(event.removes ?? []), ...emptiedPlaces(pv1, event, draft)],
  })
  if (event.mode === undefined) putBedStatus(pv1, 3, 40, draft)
  return { reference, key: draft.knownKey('Encounter', soughtFirst) }
}

function statusOf({ status, endFinishes }: VisitEvent, period: Encounter['period']): Status | undefined {
  if (endFinishes === true && period?.end !== undefined) return 'finished'
  return status === 'stored' ? undefined : status
}

const actClass = (code: string): Encounter['class'] => coding('http://terminology.hl7.org/CodeSystem/v3-ActCode', code)

/** R4 demands a class; NullFlavor says that nobody told. */
const unknownClass = coding('http://terminology.hl7.org/CodeSystem/v3-NullFlavor', 'UNK', 'unknown')

function periodOf(sent: unknown, pv1: Segment, event: VisitEvent, draft: Draft): Encounter['period'] {
  const { end, ...rest } = (sent ?? {}) as NonNullable<Encounter['period']>
  // A discharge without a date was when it happened (EVN-6), or at least when it was told (EVN-2).
  const found =
    event.withoutEnd === true ? undefined : (end ?? (event.status === 'finished' ? eventTime(draft) : undefined))
  const period = compact<NonNullable<Encounter['period']>>({ ...rest, end: found })
  if (period === undefined || isOrdered(period)) return period
  warnAt(at(draft, pv1, 45), 'bad-date', 'The discharge lies before the admission; it was left out.')
  return rest
}

function eventTime(draft: Draft): string | undefined {
  const evn = draft.message.segment('EVN')
  if (evn === undefined) return undefined
  return dateTime(evn.part(6), at(draft, evn, 6)) ?? eventSaidAt(draft)
}

function withKey(identifiers: Encounter['identifier'] = [], key: Key): NonNullable<Encounter['identifier']> {
  const hasKey = identifiers.some(({ system, value }) => system === key.system && value === key.value)
  return hasKey ? identifiers : [keyIdentifier(key), ...identifiers]
}

/** What it was known by stays with it, as an old number. */
function withPrior(
  identifiers: NonNullable<Encounter['identifier']>,
  prior: Identifier | undefined,
): NonNullable<Encounter['identifier']> {
  return prior === undefined ? identifiers : [...identifiers.filter((one) => !isAmong([prior])(one)), prior]
}
