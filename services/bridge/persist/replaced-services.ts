import type { Write } from '../mapping/mapped.ts'
import { unknownDrug } from '../mapping/prescription-order.ts'
import { isSameJson } from '../mapping/same-json.ts'
import { isOtherService } from './same-thing.ts'
import type { Stored, StoredResource } from './stored.ts'

/**
 * Writes that make of an order, a prescription or a dose that of another service, drug or vaccine: corrected, or a second one
 * under the number of the first, which is gone then. What only mentions an order says nothing of its service.
 */
export const replacedServices = (writes: readonly Write[], stored: Stored): readonly Write[] =>
  writes.filter(({ fullUrl, mode, resource }) => {
    const there = mode === 'ensure' ? undefined : stored.get(fullUrl)
    // What is said only where nothing is stored replaces nothing.
    return there !== undefined && !isUntold(there) && isOtherService(there, { resource, defaults: {} })
  })

/** What was called off by its number before anybody had told of which drug. */
const isUntold = (one: StoredResource): boolean =>
  one.resourceType === 'MedicationRequest' && isSameJson(one.medicationCodeableConcept, unknownDrug)
