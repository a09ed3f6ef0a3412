import { HealthMonitor, measureHealth, type HealthCheck, type HealthPart } from '../../../packages/http/health.ts'
import { proxyTrust } from '../../../packages/http/proxy-trust.ts'
import type { Route } from '../../../packages/http/route.ts'
import { startHttpServer } from '../../../packages/http/server.ts'
import type { StaticAssets } from '../../../packages/http/static-assets.ts'
import { showTls, tlsPair } from '../../../packages/keys/tls.ts'
import type { Log } from '../../../packages/log/log.ts'
import { variableOf } from '../../../packages/config/schema.ts'
import type { Neighbours } from '../../../packages/service/neighbours.ts'
import { stepsIn } from '../../../packages/service/first-step.ts'
import type { Account, Kit } from '../../../packages/service/service.ts'
import { SignIn } from '../../../packages/sign-in/sign-in.ts'
import { scopeMatches } from '../../../packages/smart/scope-matches.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { TokenVerifier } from '../../../packages/tokens/verifier.ts'
import type { FirstStep } from '../../../packages/views/service-home.tsx'
import { viewAssets } from '../../../packages/views/assets.ts'
import { servedAssets } from '../../../packages/views/served-assets.ts'
import type { BuildInfo } from '../build-info/build-info.ts'
import type { Configuration } from '../configuration.ts'
import type { Life } from '../life.ts'
import type { ServiceName } from '../service-names.ts'
import { services as allServices, type CorridorService } from '../services.ts'
import { commonPages } from './pages.tsx'
import type { RoomWatch } from './room-watch.ts'

interface StartDeps {
  readonly kit: Omit<Kit, 'log'>
  readonly configuration: Configuration
  readonly version: string
  readonly build: BuildInfo | undefined
  /** How what all services of the process share is. */
  readonly health: Readonly<Record<string, HealthPart>>
  readonly room: Pick<RoomWatch, 'check'>
  readonly log: Log
  readonly life: Life
  readonly assets: StaticAssets
  readonly verifier: TokenVerifier
}

export interface RunningService {
  readonly name: ServiceName
  readonly title: string
  readonly url: string
  /** Every declaration behind its listener: what the attack suites are made from. */
  readonly routes: readonly Route<never>[]
  readonly tryFirst: readonly FirstStep[]
  readonly accounts: readonly Account[]
  readonly offers: Neighbours
}

/** Builds one service and gives it its listener, health, metrics, documentation and pages. */
export async function startService(service: CorridorService, deps: StartDeps): Promise<RunningService> {
  const { configuration, version, build, life, assets, verifier } = deps
  const { clock, ids, metrics } = deps.kit
  const log = deps.log.with({ service: service.name })
  const section = configuration[service.name]
  const origin = new URL(section.url).origin
  const signIn = signInAt(service.name, origin, deps)
  life.started(`${service.title} sessions`, signIn.keepSweeping(log).end)
  const parts = await service.build(section, { ...deps.kit, log, pages: { signIn, assetUrl: assets.urlOf } })
  if (parts.close !== undefined) life.started(service.title, parts.close)
  if (parts.stopTaking !== undefined) life.listening(`${service.title} besides HTTP`, parts.stopTaking)

  const checks = { database: databaseCheck(deps), ...parts.checks }
  const health = new HealthMonitor({ checks, parts: { ...deps.health, ...parts.health }, clock, log })
  measureHealth(service.name, health, metrics)
  const tryFirst = stepsIn(configuration.mode, parts.tryFirst ?? [])
  const pages = commonPages(service, parts, {
    tryFirst,
    ...{ version, url: origin, assetUrl: assets.urlOf, addresses: deps.kit.addresses },
    neighbours: neighboursOf(service.name, configuration),
    isHealthy: async () => (await health.current()).status === 'UP',
  })
  const tls = await tlsOf(`${service.name}.tls`, section, { ...deps, log })
  const server = await startHttpServer({
    name: service.name,
    title: service.title,
    version,
    routes: [...parts.routes, pages.home, ...assets.routes],
    deps: parts.deps,
    listen: {
      hosts: configuration.listen.hosts,
      port: section.port,
      portSetting: variableOf(`${service.name}.port`),
      ...(tls === undefined ? {} : { tls: tls.current }),
    },
    publicUrl: origin,
    verifier,
    scopeMatches,
    ...(parts.errors === undefined ? {} : { errors: parts.errors }),
    ...(parts.apiFor === undefined ? {} : { apiFor: parts.apiFor }),
    actuator: { monitor: health, ...(build === undefined ? {} : { build }) },
    docs: { description: service.purpose, sessionCookie: parts.sessionCookie ?? signIn.cookieName, render: pages.docs },
    htmlError: parts.errorPage ?? pages.error,
    limits: configuration.http,
    proxies: proxyTrust(configuration.http.trustedProxies),
    ...{ clock, ids, log, metrics },
  })
  tls?.onRenewed((pair) => server.renewTls(pair))
  life.listening(`${service.title} listener`, () => server.close(life.graceMs(stopDeadlineMs)))
  const { accounts = [], offers = {} } = parts
  const { name, title } = service
  return { name, title, url: section.url, routes: server.routes, tryFirst, accounts, offers }
}

/** Read and compressed once; every service serves the same. */
export const pageAssets = (): StaticAssets => servedAssets(viewAssets())

// The whole stop has ten seconds; the database still wants a moment after the listeners.
const stopDeadlineMs = 7_000

function signInAt(service: ServiceName, serviceUrl: string, { configuration, kit, verifier }: StartDeps): SignIn {
  const { workspace, auth, fhir } = configuration
  return new SignIn(
    { ...{ service, serviceUrl, ...workspace }, authUrl: auth.url, fhirUrl: fhir.url },
    { ...kit, verifier },
  )
}

/** Asks for a row to change and takes none: a standby, or a server that was made read-only, refuses that. */
const databaseCheck =
  ({ kit, room }: StartDeps): HealthCheck =>
  async () => {
    await kit.database.many(sql`select 1 from kit.migrations limit 0 for update`)
    await room.check()
  }

function neighboursOf(name: ServiceName, configuration: Configuration) {
  return allServices
    .filter((other) => other.name !== name)
    .map(({ name: other, title, purpose }) => ({ title, purpose, url: new URL('/', configuration[other].url).href }))
}

async function tlsOf(
  path: string,
  section: Pick<Configuration['auth'], 'tls'>,
  { kit, log, life }: Pick<StartDeps, 'kit' | 'log' | 'life'>,
) {
  const pair = tlsPair(section.tls, path)
  if (pair === undefined) return undefined
  const shown = await showTls(`${path}.certificateFile`, pair, { ...kit, log })
  life.started(`certificate of ${path}`, () => shown.end())
  return shown
}
