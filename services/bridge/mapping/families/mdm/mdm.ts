import type { Attachment, DocumentReference, Identifier, Reference } from '../../../../../packages/fhir/r4.ts'
import type { Segment, SegmentList } from '../../../../../packages/hl7/index.ts'
import { at, warnAt } from '../../at.ts'
import { rowOf } from '../../code-map.ts'
import { compact } from '../../compact.ts'
import { isAmong } from '../../distinct-identifiers.ts'
import type { Draft } from '../../draft.ts'
import { ei, eiOf } from '../../dt/ei.ts'
import { dateTime } from '../../dt/ts.ts'
import { mentionEncounter } from '../../encounter.ts'
import { derivedKey, positionKey } from '../../drafted-keys.ts'
import { identifierKey, isSameKey, keyIdentifier, keyText } from '../../keys.ts'
import type { Key } from '../../mapped.ts'
import { nameUuid } from '../../name-uuid.ts'
import { putPatient, type PutPatient } from '../../patient.ts'
import { replacementMark } from '../../replacement-mark.ts'
import { checkOnePatient, missingField, missingSegment, unsupportedEvent } from '../../refusals.ts'
import { readSegment, type Said } from '../../segment-map.ts'
import { putProvenance } from '../../segments/evn.ts'
import { triggerOf } from '../../segments/msh.ts'
import { txaToDocumentReference } from '../../segments/txa.ts'
import { subtype } from '../../v/0291-subtype.ts'
import { segmentsOfEach } from '../../patient-groups.ts'
import { amendComposition, putComposition } from './composition.ts'
import { type ContentPart, contentOf } from './content.ts'
import { type DocumentEvent, documentEvents } from './events.ts'

/** MDM: a document (one behind each PID), as DocumentReference (the index) and, where its text was sent, as Composition. */
export function mapMdm(draft: Draft): void {
  const event = eventOf(draft)
  for (const segments of segmentsOfEach(draft)) mapDocument(segments, event, draft)
  putProvenance(draft)
}

function mapDocument(segments: SegmentList, event: DocumentEvent, draft: Draft): void {
  const txa = segments.segment('TXA') ?? missingSegment('TXA', draft)
  const patient = putPatient(segments, draft)
  const encounter = mentionEncounter(segments, patient, draft)
  const said = readSegment(txaToDocumentReference, txa, draft)
  const parts = event.isCancelled === true ? [] : contentOf(segments, draft)
  const addendum = addendumOf(segments, txa, said, event, parts, draft)
  const key = addendum?.key ?? documentKey(txa, said, event, patient, draft)
  checkOnePatient('DocumentReference', key, patient.reference, at(draft, txa, 12))
  const parent = addendum === undefined ? parentOf(txa, event, draft) : addendum.parent
  const document = documentOf(said, key, event, parent, draft)
  if (addendum?.mark !== undefined) document.identifier?.push(keyIdentifier(addendum.mark))
  document.subject = patient.reference
  if (encounter !== undefined) document.context = { ...document.context, encounter: [encounter.reference] }
  const attachments = parts.flatMap((part) => part.attachments)
  if (attachments.length > 0) document.content = attachments.map((attachment) => ({ attachment }))
  if (parent !== undefined && event.relates === 'replaces') supersede(parent, patient.reference, draft)
  const written = draft.put(document, {
    key,
    exactKeys: addendum?.mark && [addendum.mark],
    mode: event.isCancelled === true ? 'amend' : 'upsert',
    leavesTrace: event.isCancelled === true,
    replacementKey: replacementMark(draft, key),
    defaults: defaultsOf(document, txa, draft),
    deletes: [...said.deletes, ...availableAgain(txa, draft)],
    removes: said.removes,
  })
  putText(key, document, parts, parent, event, txa, draft)
  draft.main ??= written.reference
}

function eventOf(draft: Draft): DocumentEvent {
  const trigger = triggerOf(draft)
  const event = Object.hasOwn(documentEvents, trigger) ? documentEvents[trigger] : undefined
  return event ?? unsupportedEvent('MDM', draft)
}

interface Addendum {
  readonly key: Key
  readonly parent: Identifier | undefined
  /** By which it is told from its original. */
  readonly mark: Key | undefined
}

/**
 * An addendum (T06) names the document that it adds to in TXA-13. Some senders do not, or name the same in both fields: then
 * TXA-12 may be the number of the original. Where the store has something of that number it is, and the addendum is a document
 * of its own, told from others by its times and its content.
 */
function addendumOf(
  segments: SegmentList,
  txa: Segment,
  { elements }: Said,
  event: DocumentEvent,
  parts: readonly ContentPart[],
  draft: Draft,
): Addendum | undefined {
  const number = elements['masterIdentifier'] as Identifier | undefined
  const named = parentOf(txa, event, draft)
  const isOfOther = named !== undefined && number !== undefined && !isAmong([number])(named)
  if (event.relates !== 'appends' || number === undefined || parts.length === 0 || isOfOther) return undefined
  const content = segments.segments('OBX').map((obx) => obx.rawField(5) ?? '')
  const times = [6, 7, 8].map((field) => txa.text(field) ?? '')
  const key = identifierKey(number)
  const mark = derivedKey(draft, 'addendum', keyText(key), ...times, nameUuid(content.join('\r')))
  if (!isSameKey(draft.knownKey('DocumentReference', key), mark)) return { key, parent: undefined, mark }
  delete elements['masterIdentifier']
  elements['identifier'] = (elements['identifier'] as Identifier[] | undefined)?.filter(
    (one) => !isAmong([number])(one),
  )
  return { key: mark, parent: number, mark: undefined }
}

/**
 * TXA-12; else the patient's file of this name (16) or the filler's order (15); else this message, and then nothing can
 * follow. A file name is no number: every patient may have a `letter.pdf`. What has a number is not found by it.
 */
function documentKey(
  txa: Segment,
  { elements }: Said,
  { isAboutKnown }: DocumentEvent,
  patient: PutPatient,
  draft: Draft,
): Key {
  const own = elements['masterIdentifier'] as Identifier | undefined
  if (own !== undefined) return identifierKey(own)
  if (isAboutKnown === true) missingField('TXA', 12, draft)
  const file = (elements['identifier'] as Identifier[] | undefined)?.[0]
  const filler = ei('FILL')(txa.part(15), at(draft, txa, 15))
  if (file !== undefined) return derivedKey(draft, 'document', keyText(patient.key), file.value ?? '')
  if (filler !== undefined) return identifierKey(filler)
  warnAt(at(draft, txa, 12), 'not-kept', 'The document has no number: later messages cannot find it.')
  return positionKey(draft, txa)
}

/** TXA-13, in the events where it means that this document follows another one. */
function parentOf(txa: Segment, { relates }: DocumentEvent, draft: Draft): Identifier | undefined {
  return relates === undefined ? undefined : eiOf('TXA-12')(txa.part(13), at(draft, txa, 13))
}

function documentOf(
  said: Said,
  key: Key,
  event: DocumentEvent,
  parent: Identifier | undefined,
  draft: Draft,
): DocumentReference {
  const sent = (said.elements['identifier'] as Identifier[] | undefined) ?? []
  const hasKey = sent.some(({ system, value }) => system === key.system && value === key.value)
  // Sound: the defaults give the status and content that R4 demands.
  return {
    resourceType: 'DocumentReference',
    ...said.elements,
    identifier: [
      ...(hasKey ? sent : [keyIdentifier(key), ...sent]),
      ...(parent !== undefined && event.relates === 'replaces'
        ? [keyIdentifier(replacementMark(draft, identifierKey(parent)))]
        : []),
    ],
    ...(event.isCancelled === true || said.elements['status'] === 'entered-in-error'
      ? { status: 'entered-in-error', docStatus: 'entered-in-error' }
      : {}),
    ...(event.relates === undefined || parent === undefined
      ? {}
      : { relatesTo: [{ code: event.relates, target: { type: 'DocumentReference', identifier: parent } }] }),
  } as unknown as DocumentReference
}

/** A document that is available for care is no longer marked as one that is not. */
const availableAgain = (txa: Segment, draft: Draft): string[] =>
  txa.text(19)?.trim() === 'AV' ? [`extension(${draft.extensionUrl('document-availability')})`] : []

/** R4 wants a content. A document that is only told of has a title and a kind. */
function defaultsOf(document: DocumentReference, txa: Segment, draft: Draft): Partial<DocumentReference> {
  const attachment = compact<Attachment>({
    contentType: rowOf(subtype, txa.text(3) ?? ''),
    title: document.description ?? document.type?.text ?? txa.text(16) ?? 'Document',
    creation: dateTime(txa.part(6), at(draft, txa, 6)),
  })
  return {
    status: 'current',
    content: [{ attachment: attachment ?? {} }],
    custodian: { reference: draft.context.facility.organization },
  }
}

/** The document that is replaced is no longer the current one. It may not be here, and is the patient's own. */
function supersede(parent: Identifier, subject: Reference, draft: Draft): void {
  // Sound: it is merged into a resource that has the rest, and creates none.
  const resource = {
    resourceType: 'DocumentReference',
    identifier: [parent],
    status: 'superseded',
  } as DocumentReference
  const key = identifierKey(parent)
  const marked = { replacementKey: replacementMark(draft, key), isMention: true }
  draft.put(resource, { key, mode: 'amend', defaults: { subject }, ...marked })
}

function putText(
  key: Key,
  document: DocumentReference,
  parts: readonly ContentPart[],
  parent: Identifier | undefined,
  { relates, isAboutKnown }: DocumentEvent,
  txa: Segment,
  draft: Draft,
): void {
  const hasText = parts.some(({ text }) => text !== undefined)
  const { status, docStatus, subject } = document
  if (status === 'entered-in-error') amendComposition(key, { status, subject }, draft)
  else if (hasText) {
    const relatesTo = relates === undefined || parent === undefined ? {} : { relatesTo: { code: relates, parent } }
    putComposition({ key, document, parts, ...relatesTo }, txa, draft)
  } else if (isAboutKnown === true) {
    const isGone = parts.some(({ attachments }) => attachments.length > 0)
    amendComposition(key, { status: docStatus, subject, isGone }, draft)
  }
}
