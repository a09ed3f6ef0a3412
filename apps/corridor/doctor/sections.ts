import { faultOf } from '../../../packages/faults/fault.ts'
import { declarationFaults } from '../../../services/auth/registration/declaration-faults.ts'
import { repositoryAuthorities } from '../../../services/bridge/audit/repository-tls.ts'
import { channelOf } from '../../../services/bridge/configured.ts'
import { receiverAuthorities } from '../../../services/bridge/outbound/receiver-tls.ts'
import { channelIds } from '../../../services/bridge/pipeline/channel.ts'
import { facilitiesOf } from '../../../services/referral/configured.ts'
import type { Configuration } from '../configuration.ts'
import type { ServiceName } from '../service-names.ts'

/** What is refused of a valid configuration only by the part that it is for, when that starts: a sentence each. */
export async function sectionFaults(configuration: Configuration, running: readonly ServiceName[]): Promise<string[]> {
  const { mode, auth, referral, bridge } = configuration
  const ofBridge = [
    ...channelIds.map((id) => () => channelOf(id, bridge)),
    () => receiverAuthorities(bridge.outbound),
    () => repositoryAuthorities(bridge.audit),
  ]
  const readings: (() => unknown)[] = [
    ...(running.includes('referral') ? [() => facilitiesOf(referral)] : []),
    ...(running.includes('bridge') ? ofBridge : []),
  ]
  const declared = running.includes('auth') ? await declarationFaults(auth, mode) : []
  const faults = (await Promise.all(readings.map(faultIn))).flat()
  // What all channels take from one place is said once.
  return [...new Set([...declared, ...faults])]
}

async function faultIn(reading: () => unknown): Promise<string[]> {
  try {
    await reading()
    return []
  } catch (thrown) {
    return [faultOf(thrown).shown]
  }
}
