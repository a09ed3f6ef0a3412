import type { Patient, Reference } from '../../../packages/fhir/r4.ts'
import type { Segment, SegmentList } from '../../../packages/hl7/index.ts'
import { at } from './at.ts'
import type { Draft } from './draft.ts'
import { cweOf } from './dt/cwe.ts'
import { identifierKey, isSameKey } from './keys.ts'
import type { Key, WriteMode } from './mapped.ts'
import { questionOf } from './merge-rules.ts'
import { patientKey, recordNumbers } from './patient-key.ts'
import { nothingSaid, readSegment, type Said } from './segment-map.ts'
import { contact, namesakesAmong, type NextOfKin, readNextOfKin, relatedPerson } from './segments/nk1.ts'
import { livingWill, pd1ToPatient } from './segments/pd1.ts'
import { account, mother, pidToPatient } from './segments/pid.ts'

export interface PutPatient {
  readonly reference: Reference
  /** As the store knows them: what is numbered within the patient is found by it, whichever of their numbers a message has. */
  readonly key: Key
  /** The Account of PID-18. */
  readonly account?: Reference
}

export interface PutPatientOptions {
  readonly mode?: WriteMode
  readonly active?: boolean
  /** When the patient is not found by PID: an event that changes the identifiers. */
  readonly key?: Key
  /** By which they may be known, too, in the place of the others of PID-3: the new identifier. */
  readonly otherKey?: Key | undefined
  /** An event of a visit, which only mentions the patient, says of them that they have died, and nothing else (PID-29, PID-30). */
  readonly saysDeath?: boolean
  /** When PID-18 is not simply the patient's account: an event that changes its number. */
  readonly withoutAccount?: boolean
}

type Segments = Pick<SegmentList, 'segment' | 'segments'>

/**
 * The patient of a group of segments. `ensure` is for messages that only mention the patient (results, orders): the
 * store's record wins, and a patient nobody knows is created from what the message says.
 */
export function putPatient(
  segments: Segments,
  draft: Draft,
  { mode = 'ensure', active, key: givenKey, otherKey, saysDeath, withoutAccount }: PutPatientOptions = {},
): PutPatient {
  const pid = segments.segment('PID') ?? missingPid(draft)
  const key = givenKey ?? patientKey(pid, draft)
  const kin = segments.segments('NK1').map((nk1) => readNextOfKin(nk1, draft))
  const said = readPatient(pid, segments, kin, draft)
  const resource: Patient = {
    resourceType: 'Patient',
    ...said.elements,
    ...(active === undefined ? {} : { active }),
  }
  const defaults: Partial<Patient> = {
    active: true,
    managingOrganization: { reference: draft.context.facility.organization },
  }
  const others = otherKey === undefined ? recordNumbers(pid, draft).map(identifierKey) : [otherKey]
  const otherKeys = others.filter((other) => !isSameKey(other, key))
  const { deletes, removes } = said
  const death = saysDeath === true ? deathIn(said) : undefined
  const reference =
    death === undefined
      ? draft.put(resource, { key, otherKeys, mode, defaults, deletes, removes })
      : draft.put<Patient>(death.resource, {
          ...{ key, otherKeys, isMention: true, deletes: death.deletes },
          defaults: { ...defaults, ...resource },
        })
  const known = draft.knownKey('Patient', key)
  if (mode !== 'amend') putRelated(segments, pid, kin, reference, known, draft)
  return { reference, key: known, ...(withoutAccount === true ? {} : putAccount(pid, reference, mode, draft)) }
}

/** Undefined where nothing is said of it. */
function deathIn({ elements, deletes }: Said): { resource: Patient; deletes: readonly string[] } | undefined {
  const isDeath = (name: string) => questionOf(name.replace('_', '')) === 'deceased'
  const told = Object.entries(elements).filter(([name]) => isDeath(name))
  const withdrawn = deletes.filter(isDeath)
  if (told.length + withdrawn.length === 0) return undefined
  return { resource: { resourceType: 'Patient', ...Object.fromEntries(told) }, deletes: withdrawn }
}

/** What PID, PD1, NK1 and PV1-16 say of a patient. */
function readPatient(pid: Segment, segments: Segments, kin: readonly NextOfKin[], draft: Draft): Said {
  const said = readSegment(pidToPatient, pid, draft, nothingSaid())
  const { elements } = said
  // A choice has one value: a date of death says that there was one, a birth order that there were several.
  if (elements['deceasedDateTime'] !== undefined || elements['_deceasedDateTime'] !== undefined) {
    delete elements['deceasedBoolean']
  }
  if (elements['multipleBirthInteger'] !== undefined) delete elements['multipleBirthBoolean']
  const pd1 = segments.segment('PD1')
  if (pd1 !== undefined) readSegment(pd1ToPatient, pd1, draft, said)
  const contacts = kin.map((one) => contact(one, draft)).filter((one) => one !== undefined)
  if (contacts.length > 0) elements['contact'] = contacts
  // A single one of which nothing is said but `""`: there are none any more.
  else if (kin.some(({ nk1 }) => nk1.part(2)?.isNull === true)) said.deletes.push('contact')
  const pv1 = segments.segment('PV1')
  const importance = 'http://hl7.org/fhir/StructureDefinition/patient-importance'
  if (pv1?.part(16)?.isNull === true) said.deletes.push(`extension(${importance})`)
  const vip = pv1 && cweOf('0099')(pv1.part(16), at(draft, pv1, 16))
  if (vip !== undefined) {
    const there = (elements['extension'] as unknown[] | undefined) ?? []
    elements['extension'] = [...there, { url: importance, valueCodeableConcept: vip }]
  }
  return said
}

function putRelated(
  segments: Segments,
  pid: Segment,
  kin: readonly NextOfKin[],
  patient: Reference,
  key: Key,
  draft: Draft,
): void {
  mother(pid, patient, key, draft)
  const within = { patientKey: key, namesakes: namesakesAmong(kin) }
  for (const one of kin) relatedPerson(one, patient, within, draft)
  const pd1 = segments.segment('PD1')
  if (pd1 !== undefined) livingWill(pd1, patient, key, draft)
}

function putAccount(pid: Segment, patient: Reference, mode: WriteMode, draft: Draft): { account?: Reference } {
  const read = mode === 'amend' ? undefined : account(pid, patient, draft)
  if (read === undefined) return {}
  const { status, ...resource } = read.resource
  return {
    account: draft.put(resource as typeof read.resource, {
      key: identifierKey(read.identifier),
      mode,
      defaults: { status },
    }),
  }
}

function missingPid(draft: Draft): never {
  return draft.refuse({
    code: '100',
    severity: 'E',
    text: 'The message has no PID segment, and it is about a patient.',
    location: { segment: 'PID', sequence: 1 },
  })
}
