import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { beforeAbort } from '../../clock/before-abort.ts'
import type { Clock } from '../../clock/clock.ts'
import { bug } from '../../faults/fault.ts'
import type { Log } from '../../log/log.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { lastKnownLookup } from '../../names/last-known-lookup.ts'
import { exchange } from './exchange.ts'
import { failedCall, lateCall, unexpectedAnswer } from './outbound-faults.ts'
import { originOf, originTable, type OutboundOrigin } from './outbound-origins.ts'
import { outboundResponse, type OutboundResponse } from './outbound-response.ts'
import { traceHeaders, type Trace } from '../trace.ts'

export interface OutboundOptions {
  /** The servers that may be called, each with its name and credentials; a bare address is named after its host. */
  readonly origins: readonly (string | OutboundOrigin)[]
  /** From the first byte sent to the last byte received. */
  readonly deadlineMs: number
  readonly responseBytesMax: number
  /** Connections to one origin at once; further calls wait for one, within their deadline. */
  readonly connectionsMax?: number
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

export interface OutboundRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly deadlineMs?: number
  /** Only status and headers are wanted: a body that is too large, broken off or without end makes it no failed call. */
  readonly isStatusEnough?: boolean
  /** Ends the call early, when whoever wanted the answer has gone. */
  readonly signal?: AbortSignal
  readonly trace?: Trace
}

export const makeOutbound = (options: OutboundOptions) => new Outbound(options)

/**
 * The only way out. Addresses are compared as parsed origins, never as texts; redirects are not followed; an answer is
 * read only up to its limit and its deadline. Any status is an answer; no answer is a fault of kind unavailable.
 */
export class Outbound {
  readonly #options: OutboundOptions
  readonly #origins: ReadonlyMap<string, OutboundOrigin>
  readonly #agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent }
  readonly #observe: (name: string, outcome: string, startedMs: number) => void

  constructor(options: OutboundOptions) {
    this.#options = options
    this.#origins = originTable(options.origins)
    const { connectionsMax: maxSockets = 64 } = options
    const pool = { keepAlive: true, maxSockets, maxFreeSockets: 16, lookup: lastKnownLookup() }
    this.#agents = { 'http:': new HttpAgent(pool), 'https:': new HttpsAgent({ ...pool, minVersion: 'TLSv1.2' }) }
    const durations = options.metrics.histogram(
      'corridor_outbound_request_duration_seconds',
      'Time of a call to another service, by its status or by what went wrong.',
      ['dependency', 'outcome'],
    )
    this.#observe = (name, outcome, startedMs) =>
      durations.labels(name, outcome).observe(Math.max(0, options.clock.monotonicMs() - startedMs) / 1_000)
  }

  /** For whoever calls elsewhere, with a list of its own: the patience is the same. */
  get deadlineMs(): number {
    return this.#options.deadlineMs
  }

  /** Whether calls to this address are allowed at all. */
  allows(url: string): boolean {
    return URL.canParse(url) && this.#origins.has(new URL(url).origin)
  }

  async send(request: OutboundRequest): Promise<OutboundResponse> {
    const { clock } = this.#options
    const origin = this.#originFor(request.url)
    const startedMs = clock.monotonicMs()
    const deadlineMs = request.deadlineMs ?? this.#options.deadlineMs
    using deadline = clock.deadline(deadlineMs, () => lateCall(origin.name, deadlineMs))
    const signal = AbortSignal.any([deadline.signal, ...(request.signal === undefined ? [] : [request.signal])])
    try {
      const { status, headers, body } = await this.#exchange(request, origin, signal)
      this.#observe(origin.name, String(status), startedMs)
      return outboundResponse(status, headers, body, origin.name)
    } catch (error) {
      const fault = failedCall(error, signal, origin.name)
      this.#observe(origin.name, fault.code ?? fault.kind, startedMs)
      this.#options.log.warn('call failed', {
        dependency: origin.name,
        faultKind: fault.kind,
        ...(fault.code === undefined ? {} : { faultCode: fault.code }),
        ...(fault.logged === undefined ? {} : { error: fault.logged }),
        ...(request.trace === undefined ? {} : { requestId: request.trace.requestId }),
      })
      throw fault
    }
  }

  /** Sends a value as JSON and asks for JSON. */
  sendJson(request: Omit<OutboundRequest, 'body'> & { readonly json?: unknown }): Promise<OutboundResponse> {
    const { json, ...rest } = request
    const type = json === undefined ? {} : { 'content-type': 'application/json' }
    return this.send({
      ...rest,
      headers: { accept: 'application/json', ...type, ...request.headers },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
  }

  /** The JSON at an address; any other answer than a success is a fault. */
  async getJson(url: string, options: Omit<OutboundRequest, 'url' | 'method' | 'body'> = {}): Promise<unknown> {
    const response = await this.sendJson({ ...options, url })
    if (response.status !== 200) throw unexpectedAnswer(this.#originFor(url).name, response.status)
    return response.json()
  }

  /** Closes the kept connections. */
  async close(): Promise<void> {
    this.#agents['http:'].destroy()
    this.#agents['https:'].destroy()
  }

  async #exchange(request: OutboundRequest, origin: OutboundOrigin, signal: AbortSignal) {
    const url = new URL(request.url)
    // Before the token: whoever has gone needs none.
    signal.throwIfAborted()
    const asked = origin.authorization?.()
    // Inside the deadline: getting a token may itself be a call.
    const authorization = asked instanceof Promise ? await beforeAbort(asked, signal) : asked
    return exchange({
      method: request.method ?? 'GET',
      url,
      headers: {
        ...request.headers,
        ...(authorization === undefined ? {} : { authorization }),
        ...(request.trace === undefined ? {} : traceHeaders(request.trace)),
      },
      body: request.body,
      isStatusEnough: request.isStatusEnough === true,
      agent: url.protocol === 'https:' ? this.#agents['https:'] : this.#agents['http:'],
      signal,
      bytesMax: this.#options.responseBytesMax,
    })
  }

  #originFor(url: string): OutboundOrigin {
    const origin = this.#origins.get(originOf(url))
    // Whoever takes an address from outside asks `allows` first and says what is wrong; reaching this is our mistake.
    if (origin === undefined) throw bug('a call to an origin that is not on the list was stopped')
    return origin
  }
}
