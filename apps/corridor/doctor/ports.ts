import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Clock } from '../../../packages/clock/clock.ts'
import { variableOf } from '../../../packages/config/schema.ts'
import type { Configuration } from '../configuration.ts'
import { apartAdvice, canListen, sharedPorts } from '../run/free-ports.ts'
import { isInfoOf } from '../run/is-info-of.ts'
import type { ServiceName } from '../service-names.ts'
import type { CheckDeps } from './check-deps.ts'
import { bad, good, type Finding } from './finding.ts'

/** Every port is free, or what holds it is the service of a Corridor that it is for. */
export async function checkPorts(configuration: Configuration, { clock, running }: CheckDeps): Promise<Finding[]> {
  const isFree = probes(configuration.listen.hosts)
  const isRunning = (name: ServiceName) => isServing(name, { ...listenerOf(name, configuration), clock })
  const http = running.map(async (name) => {
    const { port } = configuration[name]
    if (await isFree(port)) return good(`Port ${port}`, `free for ${name}`)
    if (await isRunning(name)) return good(`Port ${port}`, `${name} is running there`)
    return bad(
      `Port ${port}`,
      `in use by another program, wanted for ${name}`,
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

interface Listener {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
}

/** The listener itself, not its public address: a proxy that is down says nothing of who holds the port. */
function listenerOf(name: ServiceName, configuration: Configuration): Listener {
  const { port, tls } = configuration[name]
  const host = configuration.listen.hosts[0] ?? '127.0.0.1'
  return { host: anyAddress[host] ?? host, port, isTls: tls.certificateFile !== undefined }
}

/** Who listens on all addresses is asked on loopback. */
const anyAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

async function isServing(
  name: ServiceName,
  { clock, ...listener }: Listener & { readonly clock: Clock },
): Promise<boolean> {
  using deadline = clock.deadline(2_000)
  try {
    return isInfoOf(name, await infoOf(listener, deadline.signal))
  } catch {
    // Whatever holds the port does not speak HTTP as we do.
    return false
  }
}

async function infoOf({ host, port, isTls }: Listener, signal: AbortSignal): Promise<string> {
  const options = { host, port, path: '/actuator/info', signal, agent: false }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    // Nothing is sent that anybody could read, and an authority that this shell does not know proves nothing.
    const asked = isTls
      ? requestHttps({ ...options, rejectUnauthorized: false }, resolve)
      : requestHttp(options, resolve)
    asked.once('error', reject).end()
  })
  return text(answer)
}
