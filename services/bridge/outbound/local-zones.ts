import type { CallOptions } from '../../../ports/call-options.ts'
import type { FacilityRegistry } from '../../../ports/facility-registry/facility-registry.ts'
import type { Matched } from './match-subscriptions.ts'
import { isInUtc } from './sms-text.ts'

export interface LocalZonesDeps {
  readonly facilities: Pick<FacilityRegistry, 'find'>
  /** Where a facility says nothing of its own. */
  readonly timeZone: string
}

/** By which clocks patients live: those of the facility that wrote. Asked only for hours that do not say it themselves. */
export async function readLocalZones(
  matched: readonly Matched[],
  { facilities, timeZone }: LocalZonesDeps,
  call: CallOptions,
): Promise<(one: Matched) => string> {
  const codes = new Set(matched.filter(isNeeded).flatMap(({ event }) => event.facilityCode ?? []))
  const found = codes.size === 0 ? undefined : await facilities.find([...codes], call)
  return ({ event }) => found?.get(event.facilityCode ?? '')?.timeZone ?? timeZone
}

const isNeeded = ({ subscription, resource }: Matched): boolean =>
  subscription.channel === 'sms' && resource.resourceType === 'Appointment' && isInUtc(resource.start)
