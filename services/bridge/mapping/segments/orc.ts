import type { PractitionerRole, ProvenanceAgent, Reference, ServiceRequest } from '../../../../packages/fhir/r4.ts'
import type { Part, Segment } from '../../../../packages/hl7/index.ts'
import { type At, at } from '../at.ts'
import { codeText, coding, mapCode, rowOf, v2System } from '../code-map.ts'
import type { Draft } from '../draft.ts'
import { cx } from '../dt/cx.ts'
import { cweOf } from '../dt/cwe.ts'
import { ei } from '../dt/ei.ts'
import { dateTime } from '../dt/ts.ts'
import { xad } from '../dt/xad.ts'
import { xcn } from '../dt/xcn.ts'
import { xon } from '../dt/xon.ts'
import { xtn } from '../dt/xtn.ts'
import { extensionRow, ownExtensionRow } from '../extensions.ts'
import { derivedKey } from '../drafted-keys.ts'
import { keyIdentifier } from '../keys.ts'
import { row, type SegmentMap } from '../segment-map.ts'
import { statusByBoth } from '../status-of-order.ts'
import { orderStatus } from '../v/0038-order-status.ts'
import { orderControl } from '../v/0119-order-control.ts'
import { orderRequest } from '../v/0119-order-request.ts'
import { agent } from './evn.ts'

/** ORC to ServiceRequest. Status (1, 5), requester (12, 21 to 24) and timing (7) stand below and in `tq1.ts`. */
export const orcToServiceRequest: SegmentMap = {
  segment: 'ORC',
  resource: 'ServiceRequest',
  rows: [
    ownExtensionRow(1, 'Order Control', 'order-control', 'valueCodeableConcept', cweOf('0119')),
    row(2, 'Placer Order Number', 'identifier[]', ei('PLAC')),
    row(3, 'Filler Order Number', 'identifier[]', ei('FILL')),
    row(4, 'Placer Order Group Number', 'requisition', ei('PGN')),
    row(9, 'Date/Time of Order Event', 'authoredOn', authoredOn),
    extensionRow(14, 'Call Back Phone Number', 'servicerequest-order-callback-phone-number', 'valueContactPoint', xtn),
    extensionRow(16, 'Order Control Code Reason', 'request-statusReason', 'valueCodeableConcept', cweOf('0949')),
    row(28, 'Confidentiality Code', 'meta.security[]', confidentiality),
    row(29, 'Order Type', 'locationCode[]', cweOf('0482')),
    row(33, 'Alternate Placer Order Number', 'identifier[]', cx),
    row(38, 'Filler Order Group Number', 'identifier[]', ei('FGN')),
  ],
}

/** ORC to DiagnosticReport: the numbers of the order that it answers, and why it is what it is. */
export const orcToDiagnosticReport: SegmentMap = {
  segment: 'ORC',
  resource: 'DiagnosticReport',
  rows: [
    row(2, 'Placer Order Number', 'identifier[]', ei('PLAC')),
    row(3, 'Filler Order Number', 'identifier[]', ei('FILL')),
    row(4, 'Placer Order Group Number', 'identifier[]', ei('PGN')),
    extensionRow(16, 'Order Control Code Reason', 'event-statusReason', 'valueCodeableConcept', cweOf('0949')),
    row(28, 'Confidentiality Code', 'meta.security[]', confidentiality),
  ],
}

/** By ORC-5 and ORC-1. Undefined when neither says: then the stored status stays. */
export const statusOfOrder = (orc: Segment, draft: Draft): ServiceRequest['status'] | undefined =>
  statusByBoth<ServiceRequest['status']>(toldStatus(orc, draft), rowOf(orderControl, orc.text(1) ?? ''))

/** What an order is that nobody knows, where nothing says what became of it but a request (ORC-1 CA, HD). */
export const askedStatus = (orc: Segment): ServiceRequest['status'] =>
  rowOf(orderRequest, orc.text(1) ?? '') ?? 'unknown'

/** ORC-5 alone. */
export const toldStatus = (orc: Segment, draft: Draft): ServiceRequest['status'] | undefined =>
  mapCode(orderStatus, orc.text(5), at(draft, orc, 5))

/**
 * ORC-12 orders, else whom the order itself names (OBR-16, RXE-13); with ORC-21 on behalf of an organization, whose
 * address and telephone are ORC-22 and ORC-23. An organization alone orders only where no person is named.
 */
export function requesterOfOrder(
  orc: Segment,
  namedByOrder: () => Reference | undefined,
  draft: Draft,
): Reference | undefined {
  const practitioner = xcn(orc.part(12), at(draft, orc, 12)) ?? namedByOrder()
  const organization = orderingFacility(orc, draft)
  if (practitioner === undefined || organization === undefined) return practitioner ?? organization
  // A role needs two that can be found again.
  if (practitioner.reference === undefined || organization.reference === undefined) return practitioner
  const key = derivedKey(draft, 'role', practitioner.reference, organization.reference)
  const telecom = orc.repetitions(23).map((part, repetition) => xtn(part, at(draft, orc, 23, repetition)))
  const resource: PractitionerRole = {
    resourceType: 'PractitionerRole',
    identifier: [keyIdentifier(key)],
    practitioner,
    organization,
    ...listed('telecom', telecom),
  }
  return { ...draft.put(resource, { key, mode: 'ensure' }), ...shown(practitioner) }
}

/** ORC-10, 11, 12 and 19: who entered, verified, ordered and acted, for the message's Provenance. */
export function agentsOfOrder(orc: Segment, draft: Draft): ProvenanceAgent[] {
  return agentFields.flatMap(({ field, type }) =>
    orc
      .repetitions(field)
      .map((part, repetition) => xcn(part, at(draft, orc, field, repetition)))
      .filter((who) => who !== undefined)
      .map((who) => agent(type, who)),
  )
}

const agentFields = [
  { field: 10, type: 'enterer' },
  { field: 11, type: 'verifier' },
  { field: 12, type: 'author' },
  { field: 19, type: 'performer' },
] as const

/** ORC-9 is when the order event happened: only for a new order is that when it was written. */
export function authoredOn(part: Part | undefined, place: At): string | undefined {
  const control = place.segment.text(1)?.trim().toUpperCase() ?? 'NW'
  return control === 'NW' || control === 'RO' ? dateTime(part, place) : undefined
}

function orderingFacility(orc: Segment, draft: Draft): Reference | undefined {
  const reference = xon(orc.part(21), at(draft, orc, 21))
  const resource = draft.resource('Organization', reference)
  if (resource !== undefined && resource.address === undefined) {
    const address = orc.repetitions(22).map((part, repetition) => xad(part, at(draft, orc, 22, repetition)))
    Object.assign(resource, listed('address', address))
  }
  return reference
}

function confidentiality(part: Part): unknown {
  const code = codeText(part.text(1))
  return code && coding(v2System('0177'), code, part.componentText(2))
}

function listed<Name extends string, Item>(name: Name, items: readonly (Item | undefined)[]): { [K in Name]?: Item[] } {
  const found = items.filter((item) => item !== undefined)
  // Sound: the one member has the name and the type that are asked for.
  return found.length === 0 ? {} : ({ [name]: found } as { [K in Name]: Item[] })
}

const shown = ({ display }: Reference): Reference => (display === undefined ? {} : { display })
