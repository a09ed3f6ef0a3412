import type {
  Attachment,
  CodeableConcept,
  Observation,
  ObservationComponent,
  Reference,
} from '../../../packages/fhir/r4.ts'
import type { Segment } from '../../../packages/hl7/index.ts'
import { at, warnAt } from './at.ts'
import { concept, rowOf } from './code-map.ts'
import type { Draft, PutOptions } from './draft.ts'
import { cwe, cweOf, standardised } from './dt/cwe.ts'
import { ed, rp } from './dt/ed.ts'
import { derivedKey } from './drafted-keys.ts'
import { identifierKey, isSameKey, keyIdentifier, keyText } from './keys.ts'
import type { ItemRemoval, Key } from './mapped.ts'
import { putResultDocument } from './result-document.ts'
import type { ObservationAbout } from './observation-about.ts'
import { observationCategory } from './observation-category.ts'
import { readSegment, type Said, type SegmentMap } from './segment-map.ts'
import { note } from './segments/nte.ts'
import { natureOfAbnormal, obxToObservation } from './segments/obx.ts'
import { unitOf } from './segments/obx-unit.ts'
import { valueOf, valuePlace, withUnit, type ObservationValue } from './segments/obx-value.ts'
import { extensionPath } from './extensions.ts'
import { loinc } from './terms.ts'
import { timeName } from './time-name.ts'
import { vitalSign } from './v/vital-signs.ts'

/** An observation that was read and not yet put, so that neighbours can still be joined with it. */
export interface ReadObservation {
  readonly obx: Segment
  readonly key: Key
  readonly resource: Observation
  readonly options: PutOptions<Observation>
  /** The data of an OBX that carries a document. */
  readonly attachments: readonly Attachment[]
  /** OBX-11 says that it should never have been sent. */
  readonly isMistake: boolean
}

/** One result: an OBX, further lines of its text, and the notes after it. Undefined when nothing says what it is. */
export function readObservation(
  { obx, lines, flagged, notes }: ResultLines,
  keys: ObservationKeys,
  about: ObservationAbout,
  draft: Draft,
): ReadObservation | undefined {
  const named = cwe(obx.part(3), at(draft, obx, 3)) ?? about.code
  if (named === undefined) {
    warnAt(at(draft, obx, 3), 'not-kept', 'Nothing says what was observed, so the segment was left out.')
    return undefined
  }
  const code = isTranslated(about) ? standardised(named, loinc, at(draft, obx, 3)) : named
  const said = readSegment(obxToObservation, obx, draft)
  if (flagged !== undefined) addFlags(said, flagged, draft)
  const status = obx.text(11)?.trim().toUpperCase()
  const isMistake = status === 'D' || status === 'W'
  const { key, otherKeys, exactKeys = [], isInSeries } = keysOfResult(obx, said, named, keys, about, draft)
  const attachments = isDocument(obx) ? attachmentsOf(obx, draft) : []
  const documents = attachments.map((attachment, index) =>
    putResultDocument({ attachment, index, obx, code, key, isMistake }, about, draft),
  )
  const found = isDocument(obx) ? undefined : value(obx, lines, code, draft)
  const comments = [...(about.notes ?? []), note(notes, draft)].filter((one) => one !== undefined)
  const category = categories(obx, code, about, draft)
  const elements = said.elements as Partial<Observation>
  const resource: Omit<Observation, 'status'> = {
    resourceType: 'Observation',
    ...inherited(about, said),
    ...elements,
    ...found,
    identifier: [...identifiers(elements, key), ...(isInSeries === true ? exactKeys.map(keyIdentifier) : [])],
    code,
    subject: about.patient.reference,
  }
  if (category.length > 0) resource.category = category
  if (about.encounter !== undefined) resource.encounter = about.encounter.reference
  if (documents.length > 0) resource.derivedFrom = documents
  else if (found === undefined && !isMistake) resource.dataAbsentReason = absent(status)
  if (comments.length > 0) resource.note = comments
  const options: PutOptions<Observation> = {
    key,
    otherKeys,
    exactKeys,
    mode: isMistake ? 'amend' : 'upsert',
    leavesTrace: isMistake,
    defaults: { status: 'unknown' },
    deletes: isMistake ? said.deletes : [...said.deletes, ...replacedBy(resource as Observation)],
    removes: resource.component === undefined ? said.removes : [...said.removes, everyComponent],
    saidBy: obx,
  }
  // Sound: the default gives the status that R4 demands.
  return { obx, key, resource: resource as Observation, options, attachments, isMistake }
}

/** An OBX with the OBXs that continue its text, and the NTEs after them. */
export interface ResultLines {
  readonly obx: Segment
  /** Of a text that goes over several OBXs or repetitions. */
  readonly lines?: readonly string[]
  /** The further OBXs of the text that say something of it in OBX-8. */
  readonly flagged?: readonly Segment[]
  readonly notes: readonly Segment[]
}

/** A text is as critical as the line that says so, which need not be the first. */
function addFlags({ elements }: Said, flagged: readonly Segment[], draft: Draft): void {
  const flags = [elements, ...flagged.map((obx) => readSegment(obxFlags, obx, draft).elements)].flatMap(
    ({ interpretation = [] }) => interpretation as CodeableConcept[],
  )
  const distinct = new Map(flags.map((flag) => [JSON.stringify(flag), flag]))
  if (distinct.size > 0) elements['interpretation'] = [...distinct.values()]
}

const obxFlags: SegmentMap = { ...obxToObservation, rows: obxToObservation.rows.filter(({ field }) => field === 8) }

/** Images and procedures have codes that LOINC need not know. */
const isTranslated = ({ category }: ObservationAbout): boolean =>
  category === undefined || category === 'laboratory' || category === 'vital-signs'

/** The keys that results beside each other have taken. */
export interface ObservationKeys {
  readonly numbers: Set<string>
  readonly counts: Map<string, number>
  /** How often each code is sent here. */
  readonly codes: ReadonlyMap<string, number>
  /** Those that their time tells apart, by their place in time. */
  readonly series: ReadonlyMap<Segment, number>
}

/** OBX-14: a curve may have several values within a minute. */
export const timeOfResult = (obx: Segment, draft: Draft): string | undefined => timeName(obx.part(14), draft)

/** OBX-3 as it was sent. */
export const sentCode = (obx: Segment): string => obx.rawField(3) ?? ''

/**
 * OBX-21; else what it belongs to, its code, OBX-4, and its ordinal among these. An earlier message may have had neither OBX-21
 * nor OBX-4: then it is found as it was without them, where it is the only one of its code. Of several that their time tells apart
 * the first has the key that it would have alone, the others that of their time; one that comes alone is sought by its time first,
 * and is another one where the first of several is of another time.
 */
function keysOfResult(
  obx: Segment,
  { elements }: Said,
  named: CodeableConcept,
  { numbers, counts, codes, series }: ObservationKeys,
  { patient, within, isToldByTime }: ObservationAbout,
  draft: Draft,
): ResultKeys {
  const subId = obx.text(4)?.trim() ?? ''
  const time = timeOfResult(obx, draft)
  const partsOf = (sub: string) => [...[within, codeName(named), sub], ...(isToldByTime === true ? [time ?? ''] : [])]
  const made = (sub: string, count: number) => derivedKey(draft, 'observation', ...partsOf(sub), String(count))
  const isAlone = isToldByTime !== true && codes.get(sentCode(obx)) === 1
  const withoutSubId = isAlone && isFirst(subId) ? [made('', 0)] : []
  const own = (elements['identifier'] as Observation['identifier'])?.[0]
  const ownKey = own && identifierKey(own)
  // Another patient's result may have the number: then it finds that one only.
  const isFree = ownKey !== undefined && !draft.isKnownAsAnothers('Observation', ownKey, patient.key)
  if (isFree && !numbers.has(keyText(ownKey)) && !isPut(ownKey, draft)) {
    numbers.add(keyText(ownKey))
    return { key: ownKey, otherKeys: isAlone ? [made(subId, 0), ...withoutSubId] : [] }
  }
  const ofTime = () => derivedKey(draft, 'observation-at', ...partsOf(subId), time ?? '')
  const place = series.get(obx)
  if (place !== undefined)
    return place > 0 || isAnotherFirst(made(subId, 0), ofTime(), draft)
      ? { key: ofTime() }
      : { key: made(subId, 0), exactKeys: [ofTime()], isInSeries: true }
  const name = partsOf(subId).join(' ')
  const count = counts.get(name) ?? 0
  counts.set(name, count + 1)
  const key = made(subId, count)
  if (!isAlone || time === undefined) return { key, otherKeys: withoutSubId }
  const exactKey = ofTime()
  if (isAnotherFirst(key, exactKey, draft)) return { key: exactKey }
  return { key, otherKeys: withoutSubId, exactKeys: [exactKey] }
}

/** The store has several of this code, the first of which has the key. */
const isAnotherFirst = (key: Key, ofTime: Key, draft: Draft): boolean =>
  isSameKey(draft.knownKey('Observation', key), ofTime)

interface ResultKeys {
  readonly key: Key
  readonly otherKeys?: readonly Key[]
  readonly exactKeys?: readonly Key[]
  /** The first of several carries the key of its time, too. */
  readonly isInSeries?: true
}

/** A sub-id that does not say that there is another one before it. */
export const isFirst = (subId: string): boolean => /^(?:0*[01]|a)$/i.test(subId)

const isPut = (key: Key, draft: Draft): boolean =>
  draft.write({ reference: draft.fullUrl('Observation', key) }) !== undefined

/** The sender's own code names the result, so that a translation found later does not make another one of it. */
export function codeName({ coding: [first] = [], text }: CodeableConcept): string {
  return first === undefined ? (text ?? '') : `${first.system}|${first.code}`
}

/** Some senders give several results one number: then it finds the first of them only, and the others have none. */
function identifiers({ identifier = [] }: Partial<Observation>, key: Key): NonNullable<Observation['identifier']> {
  const hasKey = identifier.some(({ system, value: found }) => system === key.system && found === key.value)
  return hasKey ? identifier : [keyIdentifier(key)]
}

function inherited({ inherited: given = {} }: ObservationAbout, { elements }: Said): Partial<Observation> {
  if (elements['effectiveDateTime'] === undefined && elements['_effectiveDateTime'] === undefined) return given
  const { effectiveDateTime: _time, effectivePeriod: _period, ...others } = given
  return others
}

function categories(obx: Segment, code: CodeableConcept, about: ObservationAbout, draft: Draft): CodeableConcept[] {
  const category = isVital(code) ? 'vital-signs' : about.category
  const type = cweOf('0936')(obx.part(29), at(draft, obx, 29))
  return [category && observationCategory(category), type].filter((one) => one !== undefined)
}

const isVital = ({ coding = [] }: CodeableConcept): boolean =>
  coding.some(({ system, code = '' }) => system === loinc && rowOf(vitalSign, code) !== undefined)

function value(
  obx: Segment,
  lines: readonly string[] | undefined,
  code: CodeableConcept,
  draft: Draft,
): ObservationValue | { component: ObservationComponent[] } | undefined {
  if (lines !== undefined) {
    const said = lines.join('\n').trimEnd()
    return said.trim() === '' ? undefined : { valueString: withUnit(said, unitOf(obx, draft)) }
  }
  const values = obx
    .repetitions(5)
    .map((part, repetition) => valueOf(obx, part, valuePlace(obx, repetition, draft)))
    .filter((one) => one !== undefined)
  if (values.length <= 1) return values[0]
  return { component: values.map((one) => ({ code, ...one })) }
}

const isDocument = (obx: Segment): boolean => /^(ED|RP)$/i.test(obx.text(2)?.trim() ?? '')

function attachmentsOf(obx: Segment, draft: Draft): Attachment[] {
  const rule = obx.text(2)?.trim().toUpperCase() === 'ED' ? ed : rp
  const found = obx.repetitions(5).map((part, repetition) => rule(part, valuePlace(obx, repetition, draft)))
  return found.filter((one) => one !== undefined)
}

/** Why there is no value: nobody asked (N), it is still to come (I, O, P, S, R), or nobody knows. */
function absent(status: string | undefined): CodeableConcept {
  if (status === 'N') return concept(reasons, 'not-asked', 'Not Asked')
  const isPending = status !== undefined && 'IOPSR'.includes(status)
  return isPending ? concept(reasons, 'temp-unknown', 'Temporarily Unknown') : unknownValue
}

const reasons = 'http://terminology.hl7.org/CodeSystem/data-absent-reason'

export const unknownValue: CodeableConcept = concept(reasons, 'unknown', 'Unknown')

/**
 * An OBX tells the whole result anew: the value that was there goes, of whatever kind it was, and with it what was said
 * of that value. A result that was critical until it was corrected is so no longer.
 */
export function replacedBy(resource: Observation): string[] {
  return [...replaced.filter((element) => resource[element] === undefined), abnormality]
}

/** What is told anew takes the place of every component, whatever it is of. */
export const everyComponent: ItemRemoval = { element: 'component', where: {} }

const abnormality = extensionPath(natureOfAbnormal)

const replaced = [
  'valueQuantity',
  'valueCodeableConcept',
  'valueString',
  'valueRange',
  'valueRatio',
  'valueSampledData',
  'valueTime',
  'valueDateTime',
  'valuePeriod',
  'dataAbsentReason',
  'component',
  // A file, which is the value of its result (`result-document.ts`).
  'derivedFrom',
  // What a laboratory says of a value. How it was measured, and by whom, holds until something else is said.
  'interpretation',
  'referenceRange',
  'note',
] as const

/** All that a result says of its value: an older message says it of an older value. */
export const toldAnew: readonly string[] = [...replaced, abnormality]

/** The reference that an observation will have once it is put. */
export const referenceOf = ({ key }: ReadObservation, draft: Draft): Reference => ({
  reference: draft.fullUrl('Observation', key),
  type: 'Observation',
})
