import type { EncounterLocation } from '../../../packages/fhir/r4.ts'
import type { Segment } from '../../../packages/hl7/index.ts'
import type { Draft } from './draft.ts'
import type { ItemRemoval } from './mapped.ts'
import { encounterLocation, temporaryLocation, temporaryPlace } from './segments/pv1.ts'
import type { VisitEvent } from './visit-event.ts'

/** Where the patient is, was and will be (PV1-3, 6, 11, 42, 43, PV2-1). Each place once; where two fields name the same place, the first field wins. */
export function encounterLocations(
  pv1: Segment,
  pv2: Segment | undefined,
  event: VisitEvent,
  draft: Draft,
): EncounterLocation[] {
  const assigned = assignedAs(pv1, event)
  const all = [
    assigned && encounterLocation(pv1, 3, assigned, draft),
    temporaryLocation(pv1, 11, 'active', draft),
    event.withoutPending === true ? undefined : encounterLocation(pv1, 42, 'reserved', draft),
    event.withoutPrior === true ? undefined : encounterLocation(pv1, 6, 'completed', draft),
    event.withoutPrior === true ? undefined : temporaryLocation(pv1, 43, 'completed', draft),
    pv2 === undefined || event.withoutPending === true ? undefined : encounterLocation(pv2, 1, 'planned', draft),
  ].filter((one) => one !== undefined)
  return all.filter((one, index) => all.findIndex((other) => isSamePlace(one, other)) === index)
}

/** What `""` takes away: the place that the visit has by that field. Who has left keeps the place that was left. */
export function emptiedPlaces(pv1: Segment, event: VisitEvent, draft: Draft): ItemRemoval[] {
  const isEmptied = (field: number): boolean => pv1.rawField(field) === '""'
  const assigned = isEmptied(3) ? assignedAs(pv1, event) : undefined
  const removes: ItemRemoval[] = []
  if (assigned !== undefined && assigned !== 'completed') removes.push(placed({ status: assigned }))
  if (isEmptied(11)) removes.push(placed({ 'extension.0.url': temporaryPlace(draft), status: 'active' }))
  if (isEmptied(42)) removes.push(placed({ status: 'reserved' }))
  return removes
}

const placed = (where: ItemRemoval['where']): ItemRemoval => ({ element: 'location', where })

/** Class P is a pre-admission: nobody lies in the bed yet. */
const assignedAs = (pv1: Segment, { assigned }: VisitEvent): VisitEvent['assigned'] =>
  assigned === 'active' && pv1.text(2)?.trim() === 'P' ? 'planned' : assigned

const isSamePlace = (one: EncounterLocation, other: EncounterLocation): boolean =>
  one.location.reference === other.location.reference
