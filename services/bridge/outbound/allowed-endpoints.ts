import { isLoopbackHost } from '../../../packages/http/request.ts'
import { sinkHost } from '../subscriptions/seeded-subscriptions.ts'
import { hostAndPort } from './host-and-port.ts'

interface AllowedEndpoints {
  /** `pharmacy.example` or `pharmacy.example:2575`, as they stand in endpoints. */
  readonly allowedHosts: readonly string[]
  /** In a demo everything runs on one machine. */
  readonly allowsLoopback: boolean
  readonly hasSink: boolean
}

/** One sentence that says why this address may not be called; undefined where it may. */
export function refusalOf(endpoint: string, allowed: AllowedEndpoints): string | undefined {
  if (!URL.canParse(endpoint)) return 'The endpoint is not an address.'
  const url = new URL(endpoint)
  const host = url.hostname.toLowerCase()
  if (host === sinkHost) return allowed.hasSink ? undefined : 'There are no embedded receivers here.'
  if (url.protocol.startsWith('mllp') && url.port === '') return 'An endpoint of MLLP needs a port: mllp://host:2575.'
  const names = new Set(allowed.allowedHosts.map((name) => name.toLowerCase()))
  const isNamed = names.has(host) || names.has(hostAndPort(url))
  if (isNamed || (allowed.allowsLoopback && isLoopbackHost(host))) return undefined
  return `The host ${host} is not among those that may be called (bridge.outbound.allowedHosts).`
}
