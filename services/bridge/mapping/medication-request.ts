import type {
  Annotation,
  Identifier,
  MedicationRequest,
  MedicationRequestDispenseRequest,
  ProvenanceAgent,
  Reference,
} from '../../../packages/fhir/r4.ts'
import type { Segment, SegmentList } from '../../../packages/hl7/index.ts'
import { type At, at, warnAt } from './at.ts'
import { compact } from './compact.ts'
import { isAmong } from './distinct-identifiers.ts'
import { isNull, readDosage } from './dosage.ts'
import type { Draft } from './draft.ts'
import type { DrugFields } from './drug-fields.ts'
import { amountOf } from './dt/amount.ts'
import { ei } from './dt/ei.ts'
import { dateTime } from './dt/ts.ts'
import { xcn } from './dt/xcn.ts'
import type { PutEncounter } from './encounter.ts'
import { exactKeysOf, ownKey, positionKey } from './drafted-keys.ts'
import { identifierKey, isSameKey, keyIdentifier, keyText } from './keys.ts'
import type { Key } from './mapped.ts'
import { readDrug } from './medication.ts'
import { putObservations } from './observations.ts'
import type { PutPatient } from './patient.ts'
import {
  amendPrescription,
  prescriptionNumbers,
  reasonOfPrescription,
  statusOfPrescription,
} from './prescription-order.ts'
import { checkOnePatient } from './refusals.ts'
import { readSegment } from './segment-map.ts'
import { agent } from './segments/evn.ts'
import { header } from './segments/msh.ts'
import { notesIn } from './segments/nte.ts'
import { authoredOn, requesterOfOrder } from './segments/orc.ts'
import { rxeFields, rxeToMedicationRequest } from './segments/rxe.ts'
import { rxoFields, rxoToMedicationRequest } from './segments/rxo.ts'

export interface AboutPrescription {
  readonly patient: PutPatient
  readonly encounter?: PutEncounter | undefined
  /** What this one replaces (ORC-1 RO after an RP). */
  readonly prior?: Reference | undefined
  /** Notes on the patient or the message, which R4 has no other place for. */
  readonly notes: readonly Annotation[]
}

/**
 * The prescription of a group of segments that begins with ORC: RXE, else RXO, with the TQ1, RXR, RXC and NTE around
 * it. Without a drug only what becomes of one that is known; undefined, with a warning, when that is not told either.
 */
export function putMedicationRequest(
  group: SegmentList,
  about: AboutPrescription,
  draft: Draft,
): Reference | undefined {
  const order = orderSegments(group)
  const { orc, drug } = order
  if (drug === undefined) return orc && orderAlone(group, about, at(draft, orc, 2), draft)
  const isEncoded = drug.name === 'RXE'
  const fields = isEncoded ? rxeFields : rxoFields
  const said = readSegment(isEncoded ? rxeToMedicationRequest : rxoToMedicationRequest, drug, draft)
  const elements = said.elements as Partial<MedicationRequest>
  const numbers = [...prescriptionNumbers(orc, draft), ...(elements.identifier ?? [])]
  const { key, exactKeys } = keysOf(numbers, drug, fields, draft)
  checkOnePatient('MedicationRequest', key, about.patient.reference, at(draft, orc ?? drug, orc === undefined ? 1 : 2))
  const { identifier, groupIdentifier } = identifiersOf(numbers, key, draft)
  const known = draft.knownKey('MedicationRequest', key)
  const medication = readDrug(drug, fields, order.rxc, known, draft)
  if (medication === undefined) return orderAlone(group, about, at(draft, drug, fields.drug), draft)
  const { dosages, priority, deletes } = readDosage({ ...order, drug }, fields, draft)
  const { status, statusOfNew } = statusOfPrescription(orc, draft)
  const around = { patient: about.patient, encounter: about.encounter, within: keyText(known) }
  const observed = putObservations(observationsOf(group), around, draft).filter(({ isMistake }) => !isMistake)
  const resource = compact<Partial<MedicationRequest>>({
    ...elements,
    ...medication,
    resourceType: 'MedicationRequest',
    identifier,
    status,
    priority,
    subject: about.patient.reference,
    encounter: about.encounter?.reference,
    authoredOn: elements.authoredOn ?? (orc && authoredOn(orc.part(9), at(draft, orc, 9))),
    requester: orc === undefined ? elements.requester : requesterOfOrder(orc, () => elements.requester, draft),
    statusReason: orc && reasonOfPrescription(orc, draft),
    groupIdentifier: (orc && ei('PGN')(orc.part(4), at(draft, orc, 4))) ?? groupIdentifier,
    supportingInformation: observed.map(({ reference }) => reference),
    note: [...about.notes, ...notesIn(group.all, draft)],
    dosageInstruction: dosages,
    dispenseRequest: dispenseOf(elements.dispenseRequest, drug, orc, draft),
    priorPrescription: about.prior,
  })
  // Sound: the defaults give the status and intent that R4 demands. The first message decides whose order it is.
  return draft.put(resource as MedicationRequest, {
    ...{ key, exactKeys },
    otherKeys: numbers
      .filter(isAmong(identifier ?? []))
      .map(identifierKey)
      .filter((one) => !isSameKey(one, key)),
    defaults: { status: statusOfNew, intent: intentOf(group, drug) },
    deletes: [...said.deletes, ...deletes, ...deletedOf(drug, orc, fields)],
    removes: said.removes,
    saidBy: drug,
  })
}

/** No drug is named: what becomes of a prescription that is known, if that is what the order tells. */
function orderAlone(
  group: SegmentList,
  { patient }: AboutPrescription,
  place: At,
  draft: Draft,
): Reference | undefined {
  const isPrescription = group.has('RXE') || draft.message.getText(header.type) === 'RDE'
  const known = amendPrescription(group, patient, draft, { isPrescription })
  if (known === undefined) warnAt(place, 'not-kept', 'No drug is named, so the order was left out.')
  return known
}

/** RXE-14: the pharmacist who verified it, for the message's Provenance. */
export function verifiersOf(group: SegmentList, draft: Draft): ProvenanceAgent[] {
  const drug = group.segment('RXE') ?? group.segment('RXO')
  const field = drug?.name === 'RXE' ? rxeFields.verifier : rxoFields.verifier
  const people = drug?.repetitions(field).map((part, repetition) => xcn(part, at(draft, drug, field, repetition))) ?? []
  return people.filter((who) => who !== undefined).map((who) => agent('verifier', who))
}

/** What follows RXE belongs to it; where it is empty, what stands before it (after ORC or RXO) holds for it too. */
function orderSegments(group: SegmentList) {
  const { all } = group
  const drug = group.segment('RXE') ?? group.segment('RXO')
  const split = drug === undefined ? 0 : all.indexOf(drug)
  const around = (name: string): readonly Segment[] => {
    const after = all.slice(split).filter((segment) => segment.name === name)
    return after.length > 0 ? after : all.slice(0, split).filter((segment) => segment.name === name)
  }
  return {
    orc: group.segment('ORC'),
    drug,
    tq1: around('TQ1'),
    rxr: around('RXR'),
    rxc: around('RXC'),
  }
}

/** The weight or the kidneys, for whoever checks the dose: from the first OBX on. */
function observationsOf({ all }: SegmentList): readonly Segment[] {
  const first = all.findIndex(({ name }) => name === 'OBX')
  return first < 0 ? [] : all.slice(first)
}

/**
 * The placer's number, else the filler's, else the prescription's. A sender that gives several drugs one number means a
 * prescription of each: from the second on the other numbers and the drug are part of the key, by which it is sought where it
 * comes alone, too.
 */
function keysOf(
  [first, ...others]: readonly Identifier[],
  drug: Segment,
  fields: DrugFields,
  draft: Draft,
): { readonly key: Key; readonly exactKeys?: readonly Key[] } {
  if (first !== undefined) {
    const taken = { type: 'MedicationRequest', kind: 'prescription-of-drug', key: identifierKey(first) } as const
    const sent = drug.part(fields.drug)
    const name = sent?.componentText(1) ?? sent?.componentText(2) ?? ''
    const [further, what] = [others.map(({ value }) => value).join(' '), `${name}|${sent?.text(3) ?? ''}`] as const
    const key = ownKey(draft, taken, further, what)
    return { key, exactKeys: exactKeysOf(draft, taken, further, what, key) }
  }
  warnAt(at(draft, drug, 15), 'not-kept', 'The order has no number: later messages cannot find it.')
  return { key: positionKey(draft, drug) }
}

/** A number that a prescription before it has taken would find both, so it is only the number of their group. */
function identifiersOf(
  numbers: readonly Identifier[],
  key: Key,
  draft: Draft,
): Pick<MedicationRequest, 'identifier' | 'groupIdentifier'> {
  const [first] = numbers
  if (first === undefined) return { identifier: [keyIdentifier(key)] }
  if (first.system === key.system && first.value === key.value) return { identifier: [...numbers] }
  const fullUrl = draft.fullUrl('MedicationRequest', key)
  const own = numbers.filter((one) => !draft.prescriptionNumbers.isTaken(one, fullUrl))
  return { identifier: [...own, keyIdentifier(key)], groupIdentifier: first }
}

/** RXE beside RXO, or verified, is what a pharmacy made of an order; alone it is the order itself. */
function intentOf(group: SegmentList, drug: Segment): MedicationRequest['intent'] {
  if (drug.name === 'RXO') return 'original-order'
  return group.has('RXO') || drug.text(rxeFields.verifier) !== undefined ? 'filler-order' : 'order'
}

/** What `""` removes of what is to be dispensed. */
const deletedOf = (drug: Segment, orc: Segment | undefined, fields: DrugFields): readonly string[] => [
  ...(isNull(drug, fields.amount) ? ['dispenseRequest.quantity'] : []),
  ...(isNull(drug, fields.firstAmount) ? ['dispenseRequest.initialFill'] : []),
  ...(isNull(orc, 15) ? ['dispenseRequest.validityPeriod'] : []),
]

function dispenseOf(
  said: MedicationRequestDispenseRequest | undefined,
  drug: Segment,
  orc: Segment | undefined,
  draft: Draft,
): MedicationRequestDispenseRequest | undefined {
  const fields = drug.name === 'RXE' ? rxeFields : rxoFields
  const first =
    fields.firstAmount === undefined ? undefined : amountOf(drug, fields.firstAmount, fields.amountUnit, draft)
  const start = orc && dateTime(orc.part(15), at(draft, orc, 15))
  return compact<MedicationRequestDispenseRequest>({
    ...said,
    quantity: amountOf(drug, fields.amount, fields.amountUnit, draft),
    initialFill: first && { quantity: first },
    validityPeriod: start === undefined ? undefined : { start },
  })
}
