import type { Annotation, Reference, ServiceRequest } from '../../../../../packages/fhir/r4.ts'
import { SegmentList } from '../../../../../packages/hl7/index.ts'
import { warnAt, at } from '../../at.ts'
import { rowOf } from '../../code-map.ts'
import type { Draft } from '../../draft.ts'
import { mentionEncounter } from '../../encounter.ts'
import { keyText } from '../../keys.ts'
import { putMedicationRequest } from '../../medication-request.ts'
import type { ObservationAbout } from '../../observation-about.ts'
import type { ObservationCategory } from '../../observation-category.ts'
import { putObservations } from '../../observations.ts'
import { type OrderGroup, orderGroups } from '../../order-group.ts'
import { putPatient } from '../../patient.ts'
import { amendPrescription } from '../../prescription-order.ts'
import { checkContent, checkEvent } from '../../refusals.ts'
import { putReport } from '../../report.ts'
import { putAllergy } from '../../segments/al1.ts'
import { putDiagnoses } from '../../segments/dg1.ts'
import { putProvenance } from '../../segments/evn.ts'
import { putCoverage } from '../../segments/in1.ts'
import { header } from '../../segments/msh.ts'
import { notesIn } from '../../segments/nte.ts'
import { agentsOfOrder, askedStatus } from '../../segments/orc.ts'
import { type OrderAbout, readOrder } from '../../service-request.ts'
import { putObrSpecimen, putSpecimens } from '../../specimen.ts'
import { patientGroups } from '../../patient-groups.ts'
import { resultStatus } from '../../v/0123-result-status.ts'
import { orderEvents } from './events.ts'

/** ORM, OMG: orders of any kind; what kind it is says OBR-24. */
export const mapOrders = (draft: Draft): void => mapOrderMessage(undefined, draft)

/** OML: orders of laboratories. */
export const mapLaboratoryOrders = (draft: Draft): void => mapOrderMessage('laboratory', draft)

/** OMI: orders of images. */
export const mapImagingOrders = (draft: Draft): void => mapOrderMessage('imaging', draft)

function mapOrderMessage(category: ObservationCategory | undefined, draft: Draft): void {
  checkEvent(orderEvents[draft.message.getText(header.type) ?? ''] ?? {}, 'ORM', draft)
  checkContent(['ORC', 'OBR', 'SPM'], draft)
  const ofMessage = notesIn(draft.message.groups('PID').before.all, draft)
  for (const group of patientGroups(draft)) mapPatientOrders(group, ofMessage, category, draft)
  const agents = draft.message.segments('ORC').flatMap((orc) => agentsOfOrder(orc, draft))
  putProvenance(draft, agents)
}

function mapPatientOrders(
  segments: SegmentList,
  ofMessage: readonly Annotation[],
  category: ObservationCategory | undefined,
  draft: Draft,
): void {
  const { before } = segments.groups('ORC', 'OBR', 'SPM')
  const patient = putPatient(segments, draft, { mode: 'ensure' })
  const encounter = mentionEncounter(segments, patient, draft)
  for (const al1 of before.segments('AL1')) putAllergy(al1, patient, draft)
  for (const in1 of before.segments('IN1')) putCoverage(in1, patient, draft)
  const about: OrderAbout = { patient, encounter, category, notes: [...ofMessage, ...notesIn(before.all, draft)] }
  for (const { specimens, orders } of bySpecimen(segments)) {
    const shared = specimens === undefined ? [] : putSpecimens([specimens], aboutOf(about, keyText(patient.key)), draft)
    for (const order of orderGroups(orders, draft).orders) mapOrder(order, shared, about, draft)
  }
  draft.main ??= (encounter ?? patient).reference.reference
}

function mapOrder(order: OrderGroup, shared: readonly Reference[], about: OrderAbout, draft: Draft): void {
  const written = isEarlierResult(order)
    ? putReport(order, about, draft).reference
    : order.own.has('RXO')
      ? putMedicationRequest(order.own, about, draft)
      : putOrder(order, shared, about, draft)
  draft.main ??= written?.reference
}

/** Those that go along with an order have an ORC of their own, or none: then it is no order that somebody should carry out. */
function isEarlierResult({ orc, obr }: OrderGroup): boolean {
  if (orc !== undefined) return orc.text(1)?.trim().toUpperCase() === 'PR'
  const status = rowOf(resultStatus, obr?.text(25) ?? '')
  return status !== undefined && status !== 'registered'
}

/** The order with its diagnoses, the answers to questions that were asked with it, and its specimens. */
function putOrder(
  group: OrderGroup,
  shared: readonly Reference[],
  about: OrderAbout,
  draft: Draft,
): Reference | undefined {
  const { orc, obr, own } = group
  if (obr === undefined && group.placer === undefined && group.filler === undefined) {
    if (orc !== undefined) warnAt(at(draft, orc, 2), 'not-kept', 'Nothing says which order this is; it was left out.')
    return undefined
  }
  // A number alone does not say what was ordered: it may be that of a prescription (RXO), which then is meant.
  const isOfAnyKind = obr === undefined && about.category === undefined
  const prescription = isOfAnyKind ? amendPrescription(own, about.patient, draft) : undefined
  const { key, exactKeys, otherKeys, resource, said } = readOrder(group, about, draft)
  const around = aboutOf(about, keyText(draft.knownKey('ServiceRequest', key)))
  const diagnoses = putDiagnoses(own.segments('DG1'), about, draft)
  const answers = putObservations(own.all.slice(firstObx(own)), around, draft).filter(({ isMistake }) => !isMistake)
  const found = [...shared, ...putSpecimens(group.specimens, around, draft)]
  const ofObr = found.length > 0 || obr === undefined ? undefined : putObrSpecimen(obr, around, draft)
  const request = {
    ...resource,
    ...listOf(
      'reasonReference',
      diagnoses.entries.map(({ condition }) => condition),
    ),
    ...listOf(
      'supportingInfo',
      answers.map(({ reference }) => reference),
    ),
    ...listOf('specimen', ofObr === undefined ? found : [ofObr]),
  }
  // Sound: the defaults give what R4 demands.
  return draft.put(request as ServiceRequest, {
    ...{ key, exactKeys, otherKeys },
    defaults: { status: orc === undefined ? 'active' : askedStatus(orc), intent: 'order' },
    deletes: said.deletes,
    removes: [...said.removes, ...diagnoses.takenBack.map(noLongerReason)],
    saidBy: obr ?? orc,
    ...(prescription?.reference === undefined ? {} : { unlessStored: prescription.reference }),
  })
}

const noLongerReason = ({ reference }: Reference) => ({ element: 'reasonReference', where: { reference } })

const aboutOf = ({ patient, encounter, category }: OrderAbout, within: string): ObservationAbout => ({
  patient,
  encounter,
  within,
  category,
})

/** What stands before the first OBX are notes on the order, not on a result. */
function firstObx(own: SegmentList): number {
  const first = own.all.findIndex(({ name }) => name === 'OBX')
  return first < 0 ? own.all.length : first
}

/** O33 and O35 begin with the specimen, and its orders follow; elsewhere a specimen follows its order. */
function bySpecimen(segments: SegmentList): { specimens?: SegmentList; orders: SegmentList }[] {
  const first = segments.all.find(({ name }) => name === 'SPM' || name === 'ORC' || name === 'OBR')
  if (first?.name !== 'SPM') return [{ orders: segments }]
  return segments.groups('SPM').groups.map((group) => {
    const { before } = group.groups('ORC', 'OBR')
    return { specimens: before, orders: new SegmentList(group.all.slice(before.all.length)) }
  })
}

function listOf<Name extends string>(
  name: Name,
  references: readonly (Reference | undefined)[],
): { [K in Name]?: Reference[] } {
  const found = references.filter((one) => one !== undefined)
  // Sound: the one member has the name that is asked for.
  return found.length === 0 ? {} : ({ [name]: found } as { [K in Name]: Reference[] })
}
