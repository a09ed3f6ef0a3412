import { isLoopbackHost } from '../../../packages/http/request.ts'
import type { Configuration } from '../configuration.ts'
import { whyNotListen } from '../run/why-not-listen.ts'
import type { ServiceName } from '../service-names.ts'
import { bad, warning, type Finding } from './finding.ts'

/** Listeners leave out what this machine has not: that of HTTP starts with one of its addresses, MLLP waits for them. */
export async function checkAddresses(
  { listen, bridge }: Configuration,
  running: readonly ServiceName[],
): Promise<Finding[]> {
  const [http, mllp] = await Promise.all([listen.hosts, bridge.mllpHosts].map(missingOf))
  const forMessages = running.includes('bridge') ? ofMllp(bridge.mllpHosts, mllp ?? []) : []
  return [...ofHttp(listen.hosts, http ?? []), ...forMessages]
}

function ofHttp(hosts: readonly string[], missing: readonly string[]): Finding[] {
  if (missing.length === hosts.length) {
    return [bad(check, `this machine has none of listen.hosts (${hosts.join(', ')})`, 'Name an address of its own.')]
  }
  return leftOut('listen.hosts', missing)
}

function ofMllp(hosts: readonly string[], missing: readonly string[]): Finding[] {
  if (missing.length < hosts.length) return leftOut('bridge.mllpHosts', missing)
  const says = `this machine has none of bridge.mllpHosts (${hosts.join(', ')}): no message comes in until it has one`
  return [warning(check, says, 'Name an address of its own, unless it gets this one when another machine fails.')]
}

/** A machine without IPv6 lacks a loopback address, and nobody misses it. */
function leftOut(setting: string, missing: readonly string[]): Finding[] {
  const named = missing.filter((host) => !isLoopbackHost(host))
  if (named.length === 0) return []
  const says = `this machine does not have ${named.join(', ')} of ${setting}: nobody listens there`
  return [warning(check, says, 'Take it away, or give the machine this address and start Corridor again.')]
}

const check = 'Addresses'

async function missingOf(hosts: readonly string[]): Promise<string[]> {
  const why = await Promise.all(hosts.map((host) => whyNotListen(host, 0)))
  return hosts.filter((_, at) => why[at] !== undefined)
}
