import type { Clock } from '../../../packages/clock/clock.ts'
import { variableOf } from '../../../packages/config/schema.ts'
import { incorrect } from '../../../packages/faults/fault.ts'
import { portInUse } from '../../../packages/http/listen/listen.ts'
import type { Configuration } from '../configuration.ts'
import type { ServiceName } from '../service-names.ts'
import { isServing } from './is-serving.ts'
import { byWhom } from './port-holder.ts'
import { whyNotListen } from './why-not-listen.ts'

/**
 * Asked before anything is made or started: a port in use is the commonest reason that a start fails, and the answer
 * should not take a database's time. The listeners themselves still decide.
 */
export async function checkFreePorts(
  names: readonly ServiceName[],
  configuration: Configuration,
  clock: Clock,
): Promise<void> {
  const [shared] = sharedPorts(names, configuration)
  if (shared !== undefined) throw incorrect(`${shared} ${apartAdvice}`)
  for (const name of names) {
    const { port } = configuration[name]
    if (port === 0 || (await canListen(configuration.listen.hosts, port))) continue
    const who = (await isServing(name, configuration, clock)) ? 'another Corridor' : 'another program'
    throw portInUse({ port, name, by: await byWhom(who, port), portSetting: variableOf(`${name}.port`) })
  }
}

export const apartAdvice = 'Give one of them another port.'

/**
 * A sentence for each two of our own listeners that would meet on a port: the second would take the first for another
 * program, and wait for it to go (a channel tries again, decision 0526) as long as Corridor runs.
 */
export function sharedPorts(names: readonly ServiceName[], configuration: Configuration): string[] {
  const listeners = listenersOf(names, configuration)
  return listeners.flatMap((one, at) => {
    const other = listeners.slice(0, at).find((earlier) => doMeet(earlier, one))
    return other === undefined ? [] : [`${other.setting} and ${one.setting} are both ${one.port}.`]
  })
}

interface OwnListener {
  readonly setting: string
  readonly port: number
  readonly hosts: readonly string[]
}

function listenersOf(names: readonly ServiceName[], configuration: Configuration): OwnListener[] {
  const { listen, bridge } = configuration
  const http = names.map((name) => ({
    ...{ setting: `${name}.port`, port: configuration[name].port, hosts: listen.hosts },
  }))
  const channels = names.includes('bridge') ? Object.entries(bridge.channels) : []
  const mllp = channels.filter(([, { enabled }]) => enabled)
  return [
    ...http,
    ...mllp.map(([id, { port }]) => ({ setting: `bridge.channels.${id}.port`, port, hosts: bridge.mllpHosts })),
  ]
}

const doMeet = (one: OwnListener, other: OwnListener) =>
  one.port !== 0 &&
  one.port === other.port &&
  one.hosts.some((host) => other.hosts.some((another) => host === another || isEvery(host, another)))

/** One of them stands for all addresses of the other's kind. */
const isEvery = (host: string, other: string) =>
  host.includes(':') === other.includes(':') && [host, other].some((each) => each === '0.0.0.0' || each === '::')

/**
 * Whether nobody else has the port, on any of the addresses; one that this machine lacks is not the question here. One
 * after the other: the probe of an address would be in the way of that of all addresses.
 */
export async function canListen(hosts: readonly string[], port: number): Promise<boolean> {
  for (const host of hosts) if ((await whyNotListen(host, port)) === 'EADDRINUSE') return false
  return true
}
