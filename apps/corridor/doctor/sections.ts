import { faultOf } from '../../../packages/faults/fault.ts'
import { proxyTrust } from '../../../packages/http/proxy-trust.ts'
import { channelOf } from '../../../services/bridge/configured.ts'
import { channelIds } from '../../../services/bridge/pipeline/channel.ts'
import { knownZone } from '../../../services/consent/known-zone.ts'
import { facilitiesOf, noticeOrigins } from '../../../services/referral/configured.ts'
import { settingsOf } from '../../../services/immunization/settings.ts'
import type { Configuration } from '../configuration.ts'

/** What is refused of a valid configuration only by the part that it is for, when that starts: a sentence each. */
export function sectionFaults({ http, consent, bridge, referral, immunization }: Configuration): string[] {
  const readings: (() => unknown)[] = [
    () => proxyTrust(http.trustedProxies),
    () => knownZone(consent.timeZone),
    ...channelIds.map((id) => () => channelOf(id, bridge)),
    () => facilitiesOf(referral),
    () => noticeOrigins(referral),
    () => settingsOf(immunization),
  ]
  // What all channels take from one place is said once.
  return [...new Set(readings.flatMap(faultIn))]
}

function faultIn(reading: () => unknown): string[] {
  try {
    reading()
    return []
  } catch (thrown) {
    return [faultOf(thrown).shown]
  }
}
