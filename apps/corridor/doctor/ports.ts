import type { Clock } from '../../../packages/clock/clock.ts'
import { variableOf } from '../../../packages/config/schema.ts'
import type { Configuration } from '../configuration.ts'
import { canListen } from '../run/free-ports.ts'
import { serviceNames } from '../service-names.ts'
import { bad, good, type Finding } from './finding.ts'

/** Every port is free, or what holds it is a healthy Corridor. */
export async function checkPorts(configuration: Configuration, clock: Clock): Promise<Finding[]> {
  const host = configuration.listen.hosts[0] ?? '127.0.0.1'
  const http = serviceNames.map(async (name) => {
    const { port, url } = configuration[name]
    if (await canListen(host, port)) return good(`Port ${port}`, `free for ${name}`)
    if (await isCorridor(new URL('/actuator/health', url).href, clock))
      return good(`Port ${port}`, `${name} is running there`)
    return bad(
      `Port ${port}`,
      `in use by another program, wanted for ${name}`,
      `Stop that program, or set ${variableOf(`${name}.port`)} to a free port.`,
    )
  })
  return [...(await Promise.all(http)), await checkMllp(host, configuration.bridge, clock)]
}

async function checkMllp(
  host: string,
  { channels, url }: Pick<Configuration['bridge'], 'channels' | 'url'>,
  clock: Clock,
): Promise<Finding> {
  const ports = Object.values(channels).map(({ port }) => port)
  const taken = (await Promise.all(ports.map(async (port) => ((await canListen(host, port)) ? [] : [port])))).flat()
  const name = `Ports ${Math.min(...ports)} to ${Math.max(...ports)}`
  if (taken.length === 0) return good(name, 'free for MLLP')
  if (await isCorridor(new URL('/actuator/health', url).href, clock)) return good(name, 'the bridge is running there')
  return bad(
    name,
    `${taken.join(', ')} in use by another program, wanted for MLLP`,
    `Stop that program, or set ${variableOf('bridge.mllpPort')} to the first of eight free ports.`,
  )
}

async function isCorridor(url: string, clock: Clock): Promise<boolean> {
  using deadline = clock.deadline(2_000)
  try {
    const answer = await fetch(url, { signal: deadline.signal, redirect: 'manual' })
    return /"status"\s*:\s*"(UP|DOWN)"/.test(await answer.text())
  } catch {
    // Whatever holds the port does not speak HTTP as we do.
    return false
  }
}
