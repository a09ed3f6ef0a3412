import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../../packages/clock/clock.ts'
import { unavailable, unprocessable } from '../../../../packages/faults/fault.ts'
import { makeOutbound, type Outbound } from '../../../../packages/http/outbound/outbound.ts'
import { askedToWait } from '../../../../packages/http/outbound/retry-after.ts'
import type { Log } from '../../../../packages/log/log.ts'
import type { Metrics } from '../../../../packages/metrics/metrics.ts'

interface RestDeliveryDeps {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly deadlineMs: number
}

interface RestNotification {
  readonly key: string
  readonly endpoint: string
  /** `Patient/…`; the resource is put there, under the endpoint. */
  readonly resource: string
  /** Empty: only that there is something. */
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * R4's rest-hook: with a payload the resource by PUT at `[endpoint]/[type]/[id]`, without one an empty POST. Each origin
 * has a client of its own, which can call no other.
 */
export class RestDeliveries {
  readonly #deps: RestDeliveryDeps
  readonly #clients: LRUCache<string, Outbound>

  constructor(deps: RestDeliveryDeps) {
    this.#deps = deps
    this.#clients = new LRUCache({ max: 100, dispose: (client) => void client.close() })
  }

  /** Resolves with the status. `unavailable`: send again; `unprocessable`: never. */
  async deliver({ key, endpoint, resource, body, headers }: RestNotification, signal: AbortSignal): Promise<string> {
    const hasBody = body !== ''
    const { status, headers: answered } = await this.#clientFor(endpoint).send({
      method: hasBody ? 'PUT' : 'POST',
      url: hasBody ? under(endpoint, resource) : endpoint,
      headers: {
        // Many a FHIR server sends back what it was given, which nobody reads.
        ...(hasBody ? { prefer: 'return=minimal' } : {}),
        ...headers,
        'idempotency-key': key,
        ...(hasBody ? { 'content-type': 'application/fhir+json' } : {}),
      },
      body,
      signal,
      isStatusEnough: true,
    })
    if (status >= 200 && status <= 299) return String(status)
    const details = { code: 'REST_REFUSED', logged: `status ${status}` }
    if (status === 408 || status === 409 || status === 429 || status >= 500) {
      const asked = askedToWait(answered, this.#deps.clock)
      throw unavailable(`The receiver answered with status ${status}.`, { ...details, ...asked })
    }
    throw unprocessable(`The receiver answered with status ${status}: it will not take this.`, details)
  }

  async close(): Promise<void> {
    this.#clients.clear()
  }

  #clientFor(endpoint: string): Outbound {
    const { origin } = new URL(endpoint)
    const known = this.#clients.get(origin)
    if (known !== undefined) return known
    const origins = [{ url: origin, name: 'subscriber' }]
    const made = makeOutbound({ ...this.#deps, origins, responseBytesMax: 65_536, connectionsMax: 8 })
    this.#clients.set(origin, made)
    return made
  }
}

/** The address of a resource under the endpoint, before a query: many hooks have their key there. */
function under(endpoint: string, resource: string): string {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${resource}`
  return url.href
}

/** `Name: value` of a Subscription's channel; what is no such line, or is ours to say, is left out. */
export function headersOf(lines: readonly string[]): Readonly<Record<string, string>> {
  const pairs = lines.flatMap((line) => {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(|[\x21-\x7e][\x20-\x7e]*)$/.exec(line) ?? []
    return name === '' || ownHeaders.has(name.toLowerCase()) ? [] : [[name.toLowerCase(), value] as const]
  })
  return Object.fromEntries(pairs)
}

const ownHeaders = new Set([
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'idempotency-key',
])
