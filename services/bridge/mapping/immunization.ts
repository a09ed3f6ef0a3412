import type { Identifier, Immunization, Reference } from '../../../packages/fhir/r4.ts'
import type { Segment, SegmentList } from '../../../packages/hl7/index.ts'
import { at, warnAt } from './at.ts'
import { rowOf } from './code-map.ts'
import type { Draft } from './draft.ts'
import { ei } from './dt/ei.ts'
import { dateTime } from './dt/ts.ts'
import type { PutEncounter } from './encounter.ts'
import { readVaccineFacts } from './immunization-facts.ts'
import { derivedKey, ownKey } from './drafted-keys.ts'
import { identifierKey, isSameKey, keyIdentifier, keyText } from './keys.ts'
import type { Key } from './mapped.ts'
import { codeName } from './observation.ts'
import { putObservations } from './observations.ts'
import type { PutPatient } from './patient.ts'
import { readSegment } from './segment-map.ts'
import { note } from './segments/nte.ts'
import { orderingProvider, rxaToImmunization } from './segments/rxa.ts'
import { readRxr } from './segments/rxr.ts'
import { segmentAction } from './v/0206-segment-action.ts'

interface ImmunizationAbout {
  readonly patient: PutPatient
  readonly encounter?: PutEncounter | undefined
}

/**
 * ORC, RXA, RXR and their OBXs to Immunization. What the OBXs tell of the dose becomes elements of it; the rest
 * (forecasts, evidence of immunity) are Observations that belong to it. Undefined when no vaccine was given or refused.
 */
export function putImmunization(group: SegmentList, about: ImmunizationAbout, draft: Draft): Reference | undefined {
  const [orc, rxa] = [group.segment('ORC'), group.segment('RXA')]
  if (rxa === undefined) return undefined
  const results = group.all.slice(group.all.findIndex(({ name }) => name === 'OBX'))
  if (!group.has('OBX')) results.length = 0
  if (isNoVaccine(rxa)) {
    putForecast(rxa, results, about, draft)
    return undefined
  }
  const said = readSegment(rxaToImmunization, rxa, draft)
  const elements = withRefusal(said.elements)
  if (elements.vaccineCode === undefined) {
    warnAt(at(draft, rxa, 5), 'not-kept', 'No vaccine is named, so the segment was left out.')
    return undefined
  }
  const numbers = orc === undefined ? [] : orderNumbers(orc, draft)
  const vaccine = codeName(elements.vaccineCode)
  const key = keyOf(numbers, vaccine, rxa, about.patient, draft)
  const isOwn = numbers.some(({ system, value }) => system === key.system && value === key.value)
  const { facts, others } = readVaccineFacts(results, draft)
  const isMistake = rowOf(segmentAction, rxa.text(21) ?? '') === 'delete'
  const performers = [...(elements.performer ?? []), orc && orderingProvider(orc, draft)]
  const recorded = elements.recorded ?? (orc && dateTime(orc.part(9), at(draft, orc, 9)))
  const comment = note(notesOf(group), draft)
  const { method: _method, additionalInstruction: _more, ...routeAndSite } = readRxr(group.segment('RXR'), draft).way
  const resource: Omit<Immunization, 'status'> = {
    resourceType: 'Immunization',
    vaccineCode: elements.vaccineCode,
    ...elements,
    ...routeAndSite,
    ...facts,
    // A number that finds another dose is no number of this one.
    identifier: isOwn ? numbers : [keyIdentifier(key)],
    ...(isMistake ? { status: 'entered-in-error' } : {}),
    patient: about.patient.reference,
    ...(about.encounter === undefined ? {} : { encounter: about.encounter.reference }),
    // R4 demands a time; a dose that nobody dated was still given. One that cannot be read stands there as it came.
    ...((elements.occurrenceDateTime ?? elements._occurrenceDateTime) === undefined
      ? { occurrenceString: 'unknown' }
      : {}),
    ...(recorded === undefined ? {} : { recorded }),
    ...listed(performers),
    ...(comment === undefined ? {} : { note: [...(elements.note ?? []), comment] }),
  }
  // Sound: the default gives the status that R4 demands.
  const reference = draft.put(resource as Immunization, {
    key,
    otherKeys: isOwn
      ? [
          ...numbers.map(identifierKey).filter((one) => !isSameKey(one, key)),
          ...unnumbered(vaccine, rxa, about.patient, draft),
        ]
      : [],
    mode: isMistake ? 'amend' : 'upsert',
    leavesTrace: isMistake,
    defaults: { status: 'completed' },
    deletes: isMistake ? said.deletes : [...said.deletes, ...withdrawnBy(elements)],
    removes: said.removes,
    saidBy: rxa,
  })
  const within = keyText(draft.knownKey('Immunization', key))
  if (!isMistake) putObservations(others, { ...about, within, inherited: { partOf: [reference] } }, draft)
  return reference
}

/** Why it was refused (RXA-18) says that it was, where RXA-20 is empty or says nothing that anybody knows. */
const withRefusal = (elements: Partial<Immunization>): Partial<Immunization> =>
  elements.status === undefined && elements.statusReason !== undefined ? { ...elements, status: 'not-done' } : elements

/**
 * RXA-20 tells anew what became of the dose: one that was given after all was not refused. And RXA-9 from where it is known:
 * what its giver tells is nobody's memory any more.
 */
const withdrawnBy = (elements: Partial<Immunization>): string[] => [
  ...(elements.status === undefined
    ? []
    : (['statusReason', 'isSubpotent'] as const).filter((element) => elements[element] === undefined)),
  ...(elements.primarySource === true ? ['reportOrigin'] : []),
]

/** CVX 998: a way to send a forecast or a history of disease, without any vaccine. */
const isNoVaccine = (rxa: Segment): boolean => rxa.text(5)?.trim() === '998'

function putForecast(rxa: Segment, results: readonly Segment[], about: ImmunizationAbout, draft: Draft): void {
  const ofDay = `${keyText(about.patient.key)} ${rxa.text(5)} ${rxa.text(3)}`
  const count = draft.countOf(ofDay)
  putObservations(results, { ...about, within: count === 0 ? ofDay : `${ofDay} ${count}` }, draft)
}

/** The filler's number first: that is the registry's own. A number of nines says that there is none. */
function orderNumbers(orc: Segment, draft: Draft): Identifier[] {
  const numbers = [ei('FILL')(orc.part(3), at(draft, orc, 3)), ei('PLAC')(orc.part(2), at(draft, orc, 2))]
  return numbers.filter((one): one is Identifier => one !== undefined && !/^9{3,}$/.test(one.value ?? ''))
}

/**
 * The number; else patient, vaccine and day. So is the second vaccine of a number told from the first. Several doses of
 * one vaccine on one day (at two sites) are counted.
 */
function keyOf([number]: readonly Identifier[], vaccine: string, rxa: Segment, patient: PutPatient, draft: Draft): Key {
  const key = number && identifierKey(number)
  if (key !== undefined && draft.write({ reference: draft.fullUrl('Immunization', key) }) === undefined) return key
  return ownKey(draft, { type: 'Immunization', kind, key: ofDay(vaccine, rxa, patient, draft) })
}

const kind = 'immunization'

const ofDay = (vaccine: string, rxa: Segment, patient: PutPatient, draft: Draft): Key =>
  derivedKey(draft, kind, keyText(patient.key), vaccine, dayOf(rxa))

const dayOf = (rxa: Segment): string => rxa.text(3)?.slice(0, 8) ?? ''

/** A dose that has a number now may have been told without one before: the same vaccine on the same day. */
const unnumbered = (vaccine: string, rxa: Segment, patient: PutPatient, draft: Draft): Key[] =>
  dayOf(rxa).length === 8 ? [ofDay(vaccine, rxa, patient, draft)] : []

/** Notes on the dose stand before its OBXs; later ones belong to those. */
function notesOf(group: SegmentList): Segment[] {
  const end = group.all.findIndex(({ name }) => name === 'OBX')
  return (end < 0 ? group.all : group.all.slice(0, end)).filter(({ name }) => name === 'NTE')
}

function listed(
  performers: readonly (NonNullable<Immunization['performer']>[number] | undefined)[],
): Pick<Immunization, 'performer'> {
  const performer = performers.filter((one) => one !== undefined)
  return performer.length === 0 ? {} : { performer }
}
