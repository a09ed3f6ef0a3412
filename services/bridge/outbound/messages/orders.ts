import type { MedicationRequest, ServiceRequest } from '../../../../packages/fhir/r4.ts'
import {
  ntesFrom,
  obrFrom,
  obxFrom,
  orcFrom,
  pv1From,
  rxcsFrom,
  rxeFrom,
  rxrsFrom,
  spmsFrom,
  tq1OfOrder,
  tq1sOfPrescription,
  type OrderControl,
  type WrittenSegment,
} from '../../hl7-from-fhir/index.ts'
import { derivedId } from '../../derived-id.ts'
import { outboundMessage, pidOf, type MessageContext } from './outbound-message.ts'
import { visitOf } from './oru-r01.ts'

const imaging = '363679005'

/** OMI^O23 of an order for imaging, OML^O21 of any other. */
export function orderMessage(order: ServiceRequest, context: MessageContext): string {
  const isImaging = order.category?.some(({ coding }) => coding?.some(({ code }) => code === imaging)) === true
  const who = [pidOf(order.subject, context), visitOf(order.encounter, context)]
  const what = [
    orcFrom(order, context, controlOf(order, context)),
    tq1OfOrder(order),
    obrFrom(order, context),
    ...ntesFrom(order.note),
    ...answersOf(order, context),
  ]
  if (!isImaging)
    return outboundMessage(['OML', 'O21', 'OML_O21'], [...who, ...what, ...spmsFrom(order, context)], context)
  return outboundMessage(['OMI', 'O23', 'OMI_O23'], [...who, ...what, ipc(order)], context)
}

/** What was asked and answered with the order, in its order: whether somebody is pregnant, when they have eaten. */
function answersOf({ supportingInfo = [] }: ServiceRequest, context: MessageContext): WrittenSegment[] {
  const segments: WrittenSegment[] = []
  let count = 0
  for (const reference of supportingInfo) {
    const answer = context.resolve(reference)
    if (answer?.resourceType !== 'Observation') continue
    const own = obxFrom(answer, context, count + 1)
    count += own.length
    for (const segment of [...own, ...ntesFrom(answer.note)]) segments.push(segment)
  }
  return segments
}

/**
 * One that was taken back is cancelled or discontinued, however it was written. One that was there before is changed: as
 * a new one it would be done twice.
 */
const controlOf = ({ status }: ServiceRequest | MedicationRequest, { isChange }: MessageContext): OrderControl =>
  controls[status ?? ''] ?? (isChange ? 'XO' : 'NW')

/** Table 0119. */
const controls: Readonly<Record<string, OrderControl>> = {
  revoked: 'CA',
  cancelled: 'CA',
  'entered-in-error': 'CA',
  stopped: 'DC',
}

/** IPC wants an accession number, a procedure id and a study; where the order has none, its own id stands for them. */
function ipc({ id = '', identifier = [] }: ServiceRequest): WrittenSegment {
  const study = identifier.find(({ system }) => system === 'urn:dicom:uid')?.value?.replace('urn:oid:', '')
  const accession = identifier.find(({ type }) => type?.coding?.some(({ code }) => code === 'ACSN') === true)?.value
  const order = accession ?? identifier[0]?.value ?? id
  return { name: 'IPC', fields: { 1: order, 2: order, 3: study ?? studyUid(id) } }
}

/** DICOM PS3.5 B.2: a UID made of a UUID, here one that follows from the order. */
const studyUid = (id: string) => `2.25.${BigInt(`0x${derivedId('study', id).replaceAll('-', '')}`)}`

/** RDE^O11 of a prescription. */
export function prescriptionMessage(request: MedicationRequest, context: MessageContext): string {
  const segments = [
    pidOf(request.subject, context),
    visitOf(request.encounter, context) ?? pv1From(undefined, context),
    orcFrom(request, context, controlOf(request, context)),
    rxeFrom(request, context),
    ...ntesFrom(request.note),
    ...tq1sOfPrescription(request),
    ...rxrsFrom(request, context),
    ...rxcsFrom(request, context),
  ]
  return outboundMessage(['RDE', 'O11', 'RDE_O11'], segments, context)
}
