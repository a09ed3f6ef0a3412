import type { Annotation, CodeableConcept, Identifier, Reference, ServiceRequest } from '../../../packages/fhir/r4.ts'
import type { Segment } from '../../../packages/hl7/index.ts'
import { at, warnAt } from './at.ts'
import { concept } from './code-map.ts'
import { compact } from './compact.ts'
import { distinctIdentifiers, isAmong } from './distinct-identifiers.ts'
import type { Draft } from './draft.ts'
import { dateTime } from './dt/ts.ts'
import { xcn } from './dt/xcn.ts'
import type { PutEncounter } from './encounter.ts'
import { derivedKey, exactKeysOf, ownKey, positionKey, type TakenKey } from './drafted-keys.ts'
import { identifierKey, isSameKey, keyIdentifier, keyText } from './keys.ts'
import type { Key } from './mapped.ts'
import { codeName } from './observation.ts'
import type { ObservationCategory } from './observation-category.ts'
import type { OrderGroup } from './order-group.ts'
import type { PutPatient } from './patient.ts'
import { nothingSaid, readSegment, type Said } from './segment-map.ts'
import { note } from './segments/nte.ts'
import { orcToServiceRequest, requesterOfOrder, statusOfOrder } from './segments/orc.ts'
import { obrToServiceRequest, sectionOf } from './segments/obr.ts'
import { readTq, readTq1, warnOfOthers, type OrderTiming } from './segments/tq1.ts'
import { notesAfter } from './specimen.ts'
import { snomed } from './terms.ts'
import { timeName } from './time-name.ts'

export interface OrderAbout {
  readonly patient: PutPatient
  readonly encounter?: PutEncounter | undefined
  /** What kind of service it is where OBR-24 does not say: the message does (OML, OMI). */
  readonly category?: ObservationCategory | undefined
  /** Notes on the patient or the message, which R4 has no other place for. */
  readonly notes: readonly Annotation[]
}

export interface ReadOrder {
  readonly key: Key
  readonly exactKeys: readonly Key[]
  readonly otherKeys: readonly Key[]
  readonly resource: OrderElements
  readonly said: Said
}

/** Whoever puts it gives the status and the intent that R4 demands. */
type OrderElements = Omit<ServiceRequest, 'status' | 'intent'> & Partial<Pick<ServiceRequest, 'status' | 'intent'>>

/** ORC, OBR and TQ1 to ServiceRequest, not yet put: an order adds to it, a result only mentions it. */
export function readOrder(group: OrderGroup, about: OrderAbout, draft: Draft): ReadOrder {
  const { orc, obr, own } = group
  const said = nothingSaid()
  if (orc !== undefined) readSegment(orcToServiceRequest, orc, draft, said)
  if (obr !== undefined) readSegment(obrToServiceRequest, obr, draft, said)
  const { occurrenceDateTime, _occurrenceDateTime, orderDetail, ...elements } = said.elements as Partial<ServiceRequest>
  const key = orderKey(group, elements.code, about, draft)
  const timing = timingOf(group, draft)
  const category = sectionOf(obr) ?? about.category
  const resource: OrderElements = {
    resourceType: 'ServiceRequest',
    ...elements,
    ...numbersOf(group, elements, key, draft),
    ...(orc === undefined ? {} : compact<Pick<ServiceRequest, 'status'>>({ status: statusOfOrder(orc, draft) })),
    subject: about.patient.reference,
    ...(about.encounter === undefined ? {} : { encounter: about.encounter.reference }),
    ...compact<Partial<ServiceRequest>>({
      category: category && categories[category],
      requester: requesterOf(group, draft),
      priority: timing.priority ?? elements.priority,
      quantityQuantity: timing.quantity,
      // R4 has details of a service only where the service is named.
      orderDetail: elements.code === undefined ? undefined : orderDetail,
      note: [
        ...about.notes,
        ...[timing.condition, timing.instruction].map((text) => (text === undefined ? undefined : { text })),
        note([...notesAfter(own.all, 'ORC'), ...notesAfter(own.all, 'OBR')], draft),
      ].filter((one) => one !== undefined),
      ...occurrence(timing, obr, { occurrenceDateTime, _occurrenceDateTime }, draft),
    }),
  }
  return { key, exactKeys: exactKeys(group, key, draft), otherKeys: otherNumbers(group, key, resource), resource, said }
}

/** The filler's number, where the placer's finds the order and no order before it has the same. */
function otherNumbers({ filler }: OrderGroup, key: Key, { identifier = [] }: OrderElements): Key[] {
  const isOther = filler !== undefined && !isSameKey(identifierKey(filler), key) && isAmong(identifier)(filler)
  return isOther ? [identifierKey(filler)] : []
}

/** The code that the sender gave, which a translation does not change. */
const sentCode = ({ obr }: OrderGroup): string =>
  [obr?.part(4)?.componentText(1), obr?.text(4, 3)].filter((piece) => piece !== undefined).join('|')

/**
 * The placer's number, else the filler's. A sender that gives several services one number means an order of each: from
 * the second on the service is part of the key.
 */
function orderKey(group: OrderGroup, code: CodeableConcept | undefined, about: OrderAbout, draft: Draft): Key {
  const { orc, obr, placer, filler } = group
  const number = placer ?? filler
  if (number !== undefined) return ownKey(draft, numbered(number), filler?.value ?? '', sentCode(group))
  const time = [obr?.part(7), obr?.part(6), orc?.part(9)]
    .map((part) => timeName(part, draft))
    .find((one) => one !== undefined)
  const what = code === undefined ? undefined : sentCode(group) || codeName(code)
  if (time !== undefined && what !== undefined)
    return derivedKey(draft, 'order', keyText(about.patient.key), what, time)
  // Sound: a group begins with one of the two.
  return positionKey(draft, (orc ?? obr) as Segment)
}

const numbered = (number: Identifier): TakenKey => ({
  type: 'ServiceRequest',
  kind: 'order',
  key: identifierKey(number),
})

/** What is said of the second of several services of one number, alone, is not said of the first. */
function exactKeys(group: OrderGroup, key: Key, draft: Draft): Key[] {
  const { placer, filler } = group
  const number = placer ?? filler
  const what = sentCode(group)
  return number === undefined || what === '' ? [] : exactKeysOf(draft, numbered(number), filler?.value ?? '', what, key)
}

/**
 * The numbers of the order. One that an order before it has taken would find both, so it is only the number of their
 * group.
 */
function numbersOf(
  { placer }: OrderGroup,
  { identifier = [], requisition }: Partial<ServiceRequest>,
  key: Key,
  draft: Draft,
): Pick<ServiceRequest, 'identifier' | 'requisition'> {
  const fullUrl = draft.fullUrl('ServiceRequest', key)
  const isTaken = (one: Identifier) => draft.orderNumbers.isTaken(one, fullUrl)
  const group = requisition ?? (placer !== undefined && isTaken(placer) ? placer : undefined)
  return {
    identifier: distinctIdentifiers([...identifier.filter((one) => !isTaken(one)), keyIdentifier(key)]),
    ...(group === undefined ? {} : { requisition: group }),
  }
}

/** ORC-12 with its organization, else OBR-16. */
function requesterOf({ orc, obr }: OrderGroup, draft: Draft): Reference | undefined {
  const namedByOrder = () => obr && xcn(obr.part(16), at(draft, obr, 16))
  return orc === undefined ? namedByOrder() : requesterOfOrder(orc, namedByOrder, draft)
}

/** TQ1, else what stood in its place before 2.5: ORC-7, else OBR-27. */
function timingOf({ orc, obr, own }: OrderGroup, draft: Draft): OrderTiming {
  const [tq1, ...others] = own.segments('TQ1')
  for (const other of others) warnAt(at(draft, other, 1), 'not-kept', 'Another time: only the first one is kept.')
  if (tq1 !== undefined) return theOne(readTq1(tq1, draft), tq1, 3, draft)
  const ofOrc = orc === undefined ? {} : readTq(orc.part(7), at(draft, orc, 7))
  if (orc !== undefined && Object.keys(ofOrc).length > 0) return theOne(ofOrc, orc, 7, draft)
  return obr === undefined ? {} : theOne(readTq(obr.part(27), at(draft, obr, 27)), obr, 27, draft)
}

/** R4 gives an order one time. `If needed` is kept of drugs alone: a later message would not take it back here. */
function theOne(timing: OrderTiming, segment: Segment, field: number, draft: Draft): OrderTiming {
  warnOfOthers(segment, field, draft)
  if (timing.isIfNeeded === true)
    warnAt(at(draft, segment, field), 'not-kept', 'That this is done only if needed was not kept.')
  return timing
}

/** When it is to be done: a choice of one, in which OBR-6 is the last to be asked. */
function occurrence(
  { timing, period }: OrderTiming,
  obr: Segment | undefined,
  requested: Requested,
  draft: Draft,
): { readonly [K in keyof ServiceRequest]?: ServiceRequest[K] | undefined } {
  if (timing !== undefined) return { occurrenceTiming: timing }
  if (period?.end !== undefined) return { occurrencePeriod: period }
  const start = period?.start ?? (obr && dateTime(obr.part(36), at(draft, obr, 36)))
  return start === undefined ? requested : { occurrenceDateTime: start }
}

/** OBR-6: a time, or what stands there in the place of one. */
type Requested = { [K in 'occurrenceDateTime' | '_occurrenceDateTime']: ServiceRequest[K] | undefined }

/** As subscribers ask for orders: by SNOMED CT. */
const categories: Readonly<Partial<Record<ObservationCategory, CodeableConcept[]>>> = {
  laboratory: [concept(snomed, '108252007', 'Laboratory procedure')],
  imaging: [concept(snomed, '363679005', 'Imaging')],
}
