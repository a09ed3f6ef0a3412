import { variableOf } from '../../../packages/config/schema.ts'
import type { Configuration } from '../configuration.ts'
import { apartAdvice, canListen, sharedPorts } from '../run/free-ports.ts'
import { byWhom } from '../run/port-holder.ts'
import { isServing } from '../run/is-serving.ts'
import type { ServiceName } from '../service-names.ts'
import type { CheckDeps } from './check-deps.ts'
import { bad, good, type Finding } from './finding.ts'

/** Every port is free, or what holds it is the service of a Corridor that it is for. */
export async function checkPorts(configuration: Configuration, { clock, running }: CheckDeps): Promise<Finding[]> {
  const isFree = probes(configuration.listen.hosts)
  const isRunning = (name: ServiceName) => isServing(name, configuration, clock)
  const http = running.map(async (name) => {
    const { port } = configuration[name]
    if (await isFree(port)) return good(`Port ${port}`, `free for ${name}`)
    if (await isRunning(name)) return good(`Port ${port}`, `${name} is running there`)
    return bad(
      `Port ${port}`,
      `in use by ${await byWhom('another program', port)}, wanted for ${name}`,
      `Stop that program, or set ${variableOf(`${name}.port`)} to a free port.`,
    )
  })
  const shared = sharedPorts(running, configuration).map((says) => bad('Ports', says, apartAdvice))
  return [
    ...shared,
    ...(await Promise.all(http)),
    ...(running.includes('bridge') ? await checkMllp(configuration.bridge, () => isRunning('bridge')) : []),
  ]
}

async function checkMllp(
  { channels, mllpHosts }: Pick<Configuration['bridge'], 'channels' | 'mllpHosts'>,
  isRunning: () => Promise<boolean>,
): Promise<Finding[]> {
  const listening = Object.values(channels).filter(({ enabled }) => enabled)
  const ports = [...new Set(listening.map(({ port }) => port))]
  if (ports.length === 0) return []
  const taken = (
    await Promise.all(ports.map(async (port) => ((await canListen(mllpHosts, port)) ? [] : [port])))
  ).flat()
  const name = `Ports ${Math.min(...ports)} to ${Math.max(...ports)}`
  if (taken.length === 0) return [good(name, 'free for MLLP')]
  if (await isRunning()) return [good(name, 'the bridge is running there')]
  return [
    bad(
      name,
      `${taken.join(', ')} in use by another program, wanted for MLLP`,
      `Stop that program, or set ${variableOf('bridge.mllpPort')} to the first of eight free ports.`,
    ),
  ]
}

/** Each port is tried once: two probes of one would take each other for another program. */
function probes(hosts: readonly string[]): (port: number) => Promise<boolean> {
  const tried = new Map<number, Promise<boolean>>()
  return (port) => {
    const isFree = tried.get(port) ?? canListen(hosts, port)
    tried.set(port, isFree)
    return isFree
  }
}
