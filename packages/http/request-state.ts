import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ids } from '../clock/ids.ts'
import { parseCookies } from './cookies.ts'
import type { ProxyTrust } from './proxy-trust.ts'
import { headerOf, isLoopbackAddress, isNameOfThisMachine, type IncomingRequest } from './request.ts'
import type { Route } from './route.ts'
import { requestIdOf, traceOf, type Trace } from './trace.ts'

/** What the server knows of one request while it is being answered. */
export class RequestState<Deps> implements IncomingRequest {
  readonly method: string
  readonly url: string
  readonly route: string
  readonly peer: string
  readonly isSecure: boolean
  readonly headers: IncomingRequest['headers']
  readonly id: string
  readonly startedMs: number
  readonly declared: Route<Deps> | undefined
  rawBody: Uint8Array | undefined
  caller: unknown
  formTargets: readonly string[] | undefined
  readonly #reply: FastifyReply
  readonly #ids: Ids
  #trace: Trace | undefined
  #cookies: ReadonlyMap<string, string> | undefined
  #signal: AbortSignal | undefined

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    options: { route: Route<Deps> | undefined; isSecure: boolean; proxies: ProxyTrust; ids: Ids; startedMs: number },
  ) {
    this.#reply = reply
    this.method = request.method
    this.url = request.raw.url ?? '/'
    this.declared = options.route
    this.route = options.route?.path ?? 'unmatched'
    const { remoteAddress = '' } = request.raw.socket
    this.peer = options.proxies.clientOf(remoteAddress, oneText(request.headers['x-forwarded-for']))
    const scheme = options.proxies.schemeOf(remoteAddress, oneText(request.headers['x-forwarded-proto']))
    this.isSecure = scheme === undefined ? options.isSecure : scheme === 'https'
    this.headers = request.headers
    this.#ids = options.ids
    this.id = requestIdOf(request.headers, options.ids)
    this.startedMs = options.startedMs
  }

  get trace(): Trace {
    return (this.#trace ??= traceOf(this.headers, this.#ids, this.id))
  }

  get isLoopback(): boolean {
    const isDirect = !proxyHeaders.some((name) => this.headers[name] !== undefined)
    return isDirect && isLoopbackAddress(this.peer) && isNameOfThisMachine(headerOf(this, 'host'))
  }

  get cookies(): ReadonlyMap<string, string> {
    const header = this.headers['cookie']
    return (this.#cookies ??= parseCookies(typeof header === 'string' ? header : undefined))
  }

  get signal(): AbortSignal {
    return (this.#signal ??= this.#makeSignal())
  }

  get clientId(): string | undefined {
    const { caller } = this
    if (typeof caller !== 'object' || caller === null || !('clientId' in caller)) return undefined
    return typeof caller.clientId === 'string' ? caller.clientId : undefined
  }

  #makeSignal(): AbortSignal {
    const controller = new AbortController()
    const { raw } = this.#reply
    raw.once('close', () => {
      if (!raw.writableFinished) controller.abort(new DOMException('The caller has gone', 'AbortError'))
    })
    return controller.signal
  }
}

/** A header that came several times means the same as its values one after the other. */
const oneText = (value: string | readonly string[] | undefined) => (typeof value === 'object' ? value.join(',') : value)

/** A proxy on this machine speaks for somebody elsewhere; whoever sends one of these is no program of this machine. */
const proxyHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const
