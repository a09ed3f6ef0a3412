import type { EncounterLocation } from '../../../packages/fhir/r4.ts'
import type { Segment } from '../../../packages/hl7/index.ts'
import type { Draft } from './draft.ts'
import { encounterLocation, temporaryLocation } from './segments/pv1.ts'
import type { VisitEvent } from './visit-event.ts'

/** Where the patient is, was and will be (PV1-3, 6, 11, 42, PV2-1). Each place once; where two fields name the same place, the first field wins. */
export function encounterLocations(
  pv1: Segment,
  pv2: Segment | undefined,
  event: VisitEvent,
  draft: Draft,
): EncounterLocation[] {
  const isPlanned = pv1.text(2)?.trim() === 'P'
  const all = [
    event.assigned &&
      encounterLocation(pv1, 3, isPlanned && event.assigned === 'active' ? 'planned' : event.assigned, draft),
    temporaryLocation(pv1, draft),
    encounterLocation(pv1, 42, 'reserved', draft),
    event.prior && encounterLocation(pv1, 6, event.prior, draft),
    pv2 && encounterLocation(pv2, 1, 'planned', draft),
  ].filter((one) => one !== undefined)
  return all.filter((one, index) => all.findIndex((other) => isSamePlace(one, other)) === index)
}

const isSamePlace = (one: EncounterLocation, other: EncounterLocation): boolean =>
  one.location.reference === other.location.reference
