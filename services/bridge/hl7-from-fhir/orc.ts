import type { DiagnosticReport, MedicationRequest, Reference, ServiceRequest } from '../../../packages/fhir/r4.ts'
import { ei, identifierOf } from './dt/identifiers.ts'
import { xcn } from './dt/references.ts'
import { hl7Time } from './dt/times.ts'
import type { WriterDeps, WrittenSegment } from './written-segment.ts'

type Ordered = ServiceRequest | MedicationRequest | DiagnosticReport

/** What a message does with an order: new, changed, cancelled, discontinued, or results of it. */
export type OrderControl = 'NW' | 'XO' | 'CA' | 'DC' | 'RE'

/** ORC of an order, or of the report that answers one. ORC-1 is what the message does with it. */
export function orcFrom(order: Ordered, deps: WriterDeps, control: OrderControl): WrittenSegment {
  const { authorities } = deps
  const { placer, filler } = orderNumbers(order)
  const group = order.resourceType === 'ServiceRequest' ? order.requisition : groupOf(order)
  return {
    name: 'ORC',
    fields: {
      1: control,
      2: ei(placer, authorities),
      3: ei(filler, authorities),
      4: ei(group, authorities),
      5: orderStatuses[order.status ?? ''],
      9: order.resourceType === 'DiagnosticReport' ? undefined : hl7Time(order.authoredOn),
      12: xcn(requesterOf(order, deps), deps),
    },
  }
}

/** Who ordered it: of a report, whoever did the order that it answers. */
export function requesterOf(order: Ordered, { resolve }: WriterDeps): Reference | undefined {
  if (order.resourceType !== 'DiagnosticReport') return order.requester
  for (const reference of order.basedOn ?? []) {
    const answered = resolve(reference)
    if (answered?.resourceType === 'ServiceRequest') return answered.requester
  }
  return undefined
}

/** The placer's and the filler's number. Where no kind is said, the first number is the placer's. */
export function orderNumbers({ identifier = [] }: Ordered) {
  const filler = identifierOf(identifier, 'FILL')
  return { placer: identifierOf(identifier, 'PLAC') ?? identifier.find((one) => one !== filler), filler }
}

const groupOf = (order: MedicationRequest | DiagnosticReport) =>
  order.resourceType === 'MedicationRequest' ? order.groupIdentifier : undefined

/** Table 0038 from the statuses of orders; `draft` and `unknown` have none. */
const orderStatuses: Readonly<Record<string, string>> = {
  active: 'IP',
  'on-hold': 'HD',
  revoked: 'CA',
  cancelled: 'CA',
  stopped: 'DC',
  completed: 'CM',
  final: 'CM',
  'entered-in-error': 'ER',
}
