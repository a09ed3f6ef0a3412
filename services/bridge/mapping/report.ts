import type {
  Annotation,
  DiagnosticReport,
  Identifier,
  Observation,
  Reference,
  ServiceRequest,
} from '../../../packages/fhir/r4.ts'
import { readCwe, readTimestamp, type Segment, textOfCoded } from '../../../packages/hl7/index.ts'
import { at } from './at.ts'
import { concept, rowOf } from './code-map.ts'
import { compact } from './compact.ts'
import { distinctIdentifiers } from './distinct-identifiers.ts'
import type { Draft } from './draft.ts'
import { periodOf } from './dt/ts.ts'
import { formOfResult } from './forms-of-results.ts'
import { derivedKey, ownKey, positionKey } from './drafted-keys.ts'
import { identifierKey, isSameKey, keyIdentifier, keyText } from './keys.ts'
import type { Key } from './mapped.ts'
import type { ObservationAbout } from './observation-about.ts'
import { putObservations, type PutObservation } from './observations.ts'
import type { OrderGroup } from './order-group.ts'
import { statusOfResults } from './report-status.ts'
import { nothingSaid, readSegment, type Said } from './segment-map.ts'
import { note } from './segments/nte.ts'
import { orcToDiagnosticReport, toldStatus } from './segments/orc.ts'
import { obrToDiagnosticReport, parentOrders, sectionOf } from './segments/obr.ts'
import { type OrderAbout, readOrder } from './service-request.ts'
import { notesAfter, putObrSpecimen, putSpecimens } from './specimen.ts'
import { isMoment, timeName } from './time-name.ts'
import { resultStatus } from './v/0123-result-status.ts'

export interface PutReport {
  readonly reference: Reference | undefined
  readonly group: OrderGroup
  readonly results: readonly PutObservation[]
}

export interface ReportAbout extends OrderAbout {
  /** The message has the result that the report was made for (OBR-26), and that one lists its results. */
  readonly hasParent?: boolean
}

/** OBR with its OBXs and SPMs to DiagnosticReport, Observations and Specimens, and the order that they answer. */
export function putReport(group: OrderGroup, { hasParent, ...about }: ReportAbout, draft: Draft): PutReport {
  const { orc, obr, own, specimens } = group
  const said = nothingSaid()
  if (orc !== undefined) readSegment(orcToDiagnosticReport, orc, draft, said)
  if (obr !== undefined) readSegment(obrToDiagnosticReport, obr, draft, said)
  addPeriod(said, obr, draft)
  const keys = reportKeys(group, about, draft)
  const { key } = keys
  const order = mentionOrder(group, about, draft)
  const around = observationAbout(group, said, draft.knownKey('DiagnosticReport', key), about)
  const found = putSpecimens(specimens, around, draft)
  const ofObr = found.length > 0 || obr === undefined ? undefined : putObrSpecimen(obr, around, draft)
  const specimen = ofObr === undefined ? found : [ofObr]
  const inherited = { ...around.inherited, ...(specimen.length === 1 ? { specimen: specimen[0] as Reference } : {}) }
  const ofParent = obr === undefined || hasParent === true ? [] : notesOfParent(obr)
  const results = putObservations(own.all, { ...around, inherited, notes: ofParent }, draft)
  const answers = results.filter(({ obx }) => isQuestion(obx))
  const orderWrite = order && (draft.write(order)?.defaults as Partial<ServiceRequest> | undefined)
  if (orderWrite !== undefined && answers.length > 0) {
    orderWrite.supportingInfo = answers.map(({ reference }) => reference)
  }
  const reported = order === undefined ? results : results.filter(({ obx }) => !isQuestion(obx))
  const told = { ...about, notes: [...about.notes, ...ofParent] }
  const reference = obr === undefined ? undefined : put({ group, said, keys, order, specimen, reported }, told, draft)
  return { reference, group, results }
}

/**
 * OBR-26: of which organism the susceptibilities are. Its report may have come in a message before, and whoever looks at a
 * result alone must see whose it is.
 */
function notesOfParent(obr: Segment): Annotation[] {
  const parent = obr.part(26)
  const name = textOfCoded(readCwe(parent?.part(1)))
  const said =
    parent?.componentText(3) ?? (name && [name, parent?.text(2)].filter((one) => one !== undefined).join(' '))
  return said === undefined ? [] : [{ text: `Made for: ${said.trim()}` }]
}

interface Answer {
  readonly group: OrderGroup
  readonly said: Said
  readonly keys: ReportKeys
  readonly order: Reference | undefined
  readonly specimen: readonly Reference[]
  readonly reported: readonly PutObservation[]
}

function put(answer: Answer, about: OrderAbout, draft: Draft): Reference {
  const { group, said, keys, order, specimen, reported } = answer
  const { key, ownKeys } = keys
  const elements = said.elements as Partial<DiagnosticReport>
  const valid = reported.filter(({ isMistake }) => !isMistake)
  const forms = valid.flatMap(({ attachments, reference }) =>
    attachments
      .filter(({ contentType }) => isForm(contentType))
      .map((attachment) => formOfResult(attachment, reference, draft)),
  )
  const comment = note(notesAfter(group.own.all, 'OBR'), draft)
  const notes = [...about.notes, ...(comment === undefined ? [] : [comment])]
  const resource = compact<Omit<DiagnosticReport, 'status' | 'code'>>({
    resourceType: 'DiagnosticReport',
    ...elements,
    identifier: distinctIdentifiers([
      keyIdentifier(key),
      ...(elements.identifier ?? []),
      ...[...ownKeys, ...keys.marks].map(keyIdentifier),
    ]),
    // A reflex that has no order of its own is based on that of the result that led to it.
    basedOn: order === undefined ? group.obr && parentOrders(group.obr, draft) : [order],
    // R4 demands a code: where OBR-4 is empty, that of the first result.
    ...(elements.code === undefined ? { code: valid[0]?.resource.code ?? unknownCode } : {}),
    subject: about.patient.reference,
    encounter: about.encounter?.reference,
    specimen: [...specimen],
    result: valid.map(({ reference }) => reference),
    presentedForm: forms,
    // R5 has the element; in R4 its extension says the same.
    extension: [
      ...(elements.extension ?? []),
      ...notes.map((valueAnnotation) => ({ url: reportNote, valueAnnotation })),
    ],
  })
  const removes = reported
    .filter(({ isMistake }) => isMistake)
    .map(({ reference }) => ({ element: 'result', where: { reference: reference.reference ?? '' } }))
  // Sound: the default gives the status that R4 demands, and the code is always there.
  return draft.put(resource as DiagnosticReport, {
    ...keys,
    otherKeys: [...ownKeys, ...keys.otherKeys],
    defaults: {
      status: statusOfResults(
        valid.map(({ resource: result }) => result),
        group.orc,
      ),
    },
    deletes: said.deletes,
    removes: [...said.removes, ...removes],
    saidBy: group.obr,
  })
}

export const reportNote = 'http://hl7.org/fhir/5.0/StructureDefinition/extension-DiagnosticReport.note'
const unknownCode = concept('http://terminology.hl7.org/CodeSystem/data-absent-reason', 'unknown', 'Unknown')

interface ReportKeys {
  readonly key: Key
  /** Those of its further numbers, which it carries. */
  readonly ownKeys: readonly Key[]
  /** What it may have been found by before it had a number. */
  readonly otherKeys: readonly Key[]
  readonly exactKeys?: readonly Key[]
  /** Which it is of several under its number and service, by the result that it was made for. */
  readonly marks: readonly Key[]
}

/**
 * The number of the order and the service: laboratories give all services of one specimen one number and report them
 * one by one. Without a number patient, service and time; else this message alone. Several reports of one service (the
 * susceptibilities of each organism, the hours of a tolerance test) are told apart by their parent and time, also where
 * only the second of them comes again; and by their parent where it comes alone for the first time.
 */
function reportKeys({ placer, filler, obr, orc }: OrderGroup, { patient }: OrderAbout, draft: Draft): ReportKeys {
  const number = filler ?? placer
  const kind = 'report'
  const parent = [obr?.text(26) ?? '', obr?.text(26, 2) ?? '']
  const own = (key: Key, ...parts: readonly string[]) =>
    ownKey(draft, { type: 'DiagnosticReport', kind: 'report-part', key }, ...parent, ...parts)
  const sent = obr?.part(4)
  const service = `${sent?.componentText(1) ?? sent?.componentText(2) ?? ''}|${sent?.text(3) ?? ''}`
  const time = timeName(obr?.part(7), draft)
  const unnumbered = (when: string) => derivedKey(draft, kind, keyText(patient.key), service, when)
  // Where both have one authority, the placer's number of one order may be the filler's of another.
  const numbered = (one: Identifier) =>
    derivedKey(draft, kind, keyText(identifierKey(one)), service, ...(one === placer ? ['PLAC'] : []))
  if (number !== undefined) {
    const first = numbered(number)
    const exactKey = derivedKey(draft, 'report-part', keyText(first), ...parent, time ?? '')
    const marks = parent.join('') === '' ? [] : [derivedKey(draft, 'report-of-result', keyText(first), ...parent)]
    if (isSameKey(draft.knownKey('DiagnosticReport', first), exactKey)) draft.passOver('DiagnosticReport', first)
    const key = own(first, time ?? '')
    if (!isSameKey(key, first)) return { key, exactKeys: marks, marks, ownKeys: [], otherKeys: [] }
    const hasOther = placer !== undefined && placer !== number
    // Several of one service may be of one day, not of one minute.
    const isTimed = time !== undefined && isMoment(time)
    return {
      ...{ key, exactKeys: [exactKey, ...marks], marks, ownKeys: hasOther ? [numbered(placer)] : [] },
      otherKeys: isTimed ? [unnumbered(time)] : [],
    }
  }
  if (time !== undefined) return { key: own(unnumbered(time)), marks: [], ownKeys: [], otherKeys: [] }
  // Sound: a group begins with one of the two.
  return { key: positionKey(draft, (obr ?? orc) as Segment), marks: [], ownKeys: [], otherKeys: [] }
}

/**
 * The order that is answered. What the placer told of it stays; the result gives its numbers and what becomes of its
 * status, and the rest only where nobody knows the order.
 */
function mentionOrder(group: OrderGroup, about: OrderAbout, draft: Draft): Reference | undefined {
  if (group.orc === undefined && group.placer === undefined) return undefined
  const { key, exactKeys, otherKeys, resource } = readOrder(group, about, draft)
  const { resourceType, identifier, status: _asked, note: _reported, ...others } = resource
  const reported = rowOf(resultStatus, group.obr?.text(25) ?? '')
  const ended =
    reported === 'final' || reported === 'corrected' ? 'completed' : reported === 'cancelled' ? 'revoked' : undefined
  const status = (group.orc && toldStatus(group.orc, draft)) ?? ended
  const said = { resourceType, identifier, ...(status === undefined ? {} : { status }) }
  // Sound: the defaults give the rest of what R4 demands.
  return draft.put(said as ServiceRequest, {
    ...{ key, exactKeys, otherKeys },
    defaults: { intent: 'order', ...others, status: 'active' },
    saidBy: group.obr,
  })
}

function observationAbout({ obr, own }: OrderGroup, { elements }: Said, key: Key, about: OrderAbout): ObservationAbout {
  const report = elements as Partial<DiagnosticReport>
  const { effectiveDateTime, effectivePeriod } = report
  return {
    patient: about.patient,
    encounter: about.encounter,
    within: key.value,
    category: sectionOf(obr) ?? (isOfMonitors(own.all) ? undefined : about.category),
    code: report.code,
    inherited: compact<Partial<Observation>>({ effectiveDateTime, effectivePeriod, status: statusOf(report) }) ?? {},
  }
}

/** OBR-25, for results that do not say their own (OBX-11). Of some results (A) nobody says which are final. */
function statusOf({ status }: Partial<DiagnosticReport>): Observation['status'] | undefined {
  return status === 'partial' ? 'preliminary' : status === 'unknown' || status === 'appended' ? undefined : status
}

/** Devices send codes of ISO 11073: they are no laboratory. */
const isOfMonitors = (segments: readonly Segment[]): boolean =>
  segments.some((one) => one.name === 'OBX' && one.text(3, 3)?.trim().toUpperCase() === 'MDC')

/** OBX-29: what was asked when it was ordered, not what was found. */
const isQuestion = (obx: Segment): boolean => /^(QST|SCI)$/i.test(obx.text(29)?.trim() ?? '')

/** OBR-8 makes a period of OBR-7. */
function addPeriod({ elements }: Said, obr: Segment | undefined, draft: Draft): void {
  const end = obr && readTimestamp(obr.part(8))
  const period = end && periodOf(readTimestamp(obr.part(7)), end, at(draft, obr, 7))
  if (period?.start === undefined || period.start === period.end) return
  elements['effectivePeriod'] = period
  delete elements['effectiveDateTime']
}

const isForm = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^(application\/(pdf|rtf)|text\/)/.test(contentType)
