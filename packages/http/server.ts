import { Server as HttpsServer } from 'node:https'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../clock/clock.ts'
import type { Ids } from '../clock/ids.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { TokenVerifier } from '../tokens/verifier.ts'
import { actuatorRoutes, type ActuatorOptions } from './actuator.ts'
import { makeApp } from './app.ts'
import { Connections } from './listen/connections.ts'
import { docsRoutes, type DocsOptions } from './docs/docs.ts'
import type { HtmlError } from './error-answer.ts'
import type { ErrorStyle } from './error-style.ts'
import { defaultLimits, type HttpLimits } from './listen/limits.ts'
import { listenOnAll, type Listening } from './listen/listen.ts'
import { makeNodeServer } from './listen/node-server.ts'
import { requestObserver } from './observe.ts'
import { trustsNobody, type ProxyTrust } from './proxy-trust.ts'
import type { Route } from './route.ts'
import { checkRouteTable } from './route-table.ts'
import { tlsOptions, type TlsPair } from './listen/tls.ts'
import { sameScope, type ScopeMatches, type Who } from './who.ts'

export interface HttpServerOptions<Deps> {
  /** The service's short name, for logs, metrics and messages: `consent`. */
  readonly name: string
  readonly title: string
  readonly version: string
  readonly routes: readonly Route<Deps>[]
  readonly deps: Deps
  readonly listen: {
    readonly hosts: readonly string[]
    /** 0 takes any free port. */
    readonly port: number
    readonly tls?: TlsPair
    /** The setting that moves the port, for the sentence about a busy one: `CORRIDOR_AUTH_PORT`. */
    readonly portSetting?: string
  }
  /** Where the service is reached from outside, when that is not where it listens. */
  readonly publicUrl?: string
  readonly verifier?: TokenVerifier
  /** How scopes are compared; plain words unless said. */
  readonly scopeMatches?: ScopeMatches
  /** Whose X-Forwarded-For and X-Forwarded-Proto are believed; nobody's unless said. */
  readonly proxies?: ProxyTrust
  readonly actuator?: ActuatorOptions
  readonly docs?: DocsOptions
  readonly limits?: Partial<HttpLimits>
  readonly errors?: ErrorStyle
  /** Who learns what is not below /api: anyone unless said. */
  readonly apiFor?: Who
  readonly htmlError?: HtmlError
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: Metrics
}

export interface HttpServer {
  /** The public address, or the first that is listened on. Without a slash at the end. */
  readonly url: string
  readonly port: number
  readonly addresses: readonly string[]
  /** Everything that it answers, the actuator and the documentation included. */
  readonly routes: readonly Route<never>[]
  /** Shows this certificate to whoever connects from now on. Only for one that began with TLS. */
  renewTls(pair: TlsPair): void
  /** Stops accepting, lets what is in work finish, and cuts it off after the deadline. */
  close(deadlineMs?: number): Promise<void>
}

export async function startHttpServer<Deps>(options: HttpServerOptions<Deps>): Promise<HttpServer> {
  const { name, clock, listen } = options
  const log = options.log.with({ service: name })
  const limits = { ...defaultLimits, ...options.limits }
  const tls = listen.tls === undefined ? undefined : tlsOptions(listen.tls)
  const routes = allRoutes(options)
  checkRouteTable(routes)
  const connections = new Connections()
  const ownOrigins: string[] = []
  const app = await makeApp(routes, {
    deps: options.deps,
    verifier: options.verifier,
    scopeMatches: options.scopeMatches ?? sameScope,
    errors: options.errors ?? 'problem',
    htmlError: options.htmlError,
    apiFor: options.apiFor,
    isSecure: tls !== undefined || options.publicUrl?.startsWith('https:') === true,
    observe: requestObserver({ service: name, clock, log, metrics: options.metrics }),
    ids: options.ids,
    proxies: options.proxies ?? trustsNobody,
    limits,
    clock,
    log,
    connections,
    ownOrigins,
  })
  const make = () => makeNodeServer(app, { limits, tls, connections, clock })
  const opened = await listenOnAll(make, { ...listen, name }, log).catch(async (error: unknown) => {
    await app.close()
    throw error
  })
  const addresses = opened.map((listening) => addressOf(listening, tls !== undefined))
  const url = (options.publicUrl ?? addresses[0] ?? '').replace(/\/$/, '')
  ownOrigins.push(...originsOf(url, addresses))
  for (const { host, port } of opened) log.info('listening', { host, port })
  return {
    url,
    port: opened[0]?.port ?? 0,
    addresses,
    routes,
    renewTls: (pair) => renewTls(opened, pair),
    close: (ms) => close(opened, app, connections, { ...options, log }, ms),
  }
}

function renewTls(opened: readonly Listening[], pair: TlsPair): void {
  for (const { server } of opened) if (server instanceof HttpsServer) server.setSecureContext(tlsOptions(pair))
}

function allRoutes<Deps>(options: HttpServerOptions<Deps>): Route<Deps>[] {
  const operational = actuatorRoutes(options.actuator ?? {}, options)
  const routes = [...options.routes, ...operational]
  return [...routes, ...docsRoutes(routes, options)]
}

async function close(
  opened: readonly Listening[],
  app: FastifyInstance,
  connections: Connections,
  { clock, log }: { clock: Clock; log: Log },
  deadlineMs = 10_000,
): Promise<void> {
  const closed = Promise.all(opened.map(({ server }) => new Promise((resolve) => server.close(resolve))))
  connections.drain()
  using deadline = clock.deadline(deadlineMs)
  const late = new Promise<'late'>((resolve) => deadline.signal.addEventListener('abort', () => resolve('late')))
  if ((await Promise.race([closed, late])) === 'late') {
    log.warn('requests cut off at the deadline', { count: connections.cut() })
  }
  await app.close()
}

function addressOf({ host, port }: Listening, isSecure: boolean): string {
  return `${isSecure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Loopback is also called localhost by browsers. */
function originsOf(url: string, addresses: readonly string[]): string[] {
  const named = addresses.filter((address) => /\/\/(127\.|\[::1\])/.test(address)).map(localhostOf)
  return [...new Set([url, ...addresses, ...named].map((address) => new URL(address).origin))]
}

const localhostOf = (address: string) => address.replace(/\/\/(127\.[\d.]+|\[::1\])/, '//localhost')
