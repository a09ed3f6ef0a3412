import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Clock } from '../../../packages/clock/clock.ts'
import type { Configuration } from '../configuration.ts'
import type { ServiceName } from '../service-names.ts'
import { isInfoOf } from './is-info-of.ts'

/** Whether what holds the port of a service is that service of a Corridor. */
export async function isServing(name: ServiceName, configuration: Configuration, clock: Clock): Promise<boolean> {
  using deadline = clock.deadline(2_000)
  try {
    return isInfoOf(name, await infoOf(listenerOf(name, configuration), deadline.signal))
  } catch {
    // Whatever holds the port does not speak HTTP as we do.
    return false
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
