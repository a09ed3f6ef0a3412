import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, type Clock } from '../../../packages/clock/clock.ts'
import { systemIds, systemRandom } from '../../../packages/clock/ids.ts'
import { address, path } from '../../../packages/config/key.ts'
import { loadConfiguration } from '../../../packages/config/load.ts'
import { makeOutbound } from '../../../packages/http/outbound/outbound.ts'
import { proxyTrust } from '../../../packages/http/proxy-trust.ts'
import { startHttpServer } from '../../../packages/http/server.ts'
import { openKeyStore } from '../../../packages/keys/key-store.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import type { Kit } from '../../../packages/service/service.ts'
import { scopeMatches } from '../../../packages/smart/scope-matches.ts'
import { openDatabase } from '../../../packages/sql/database.ts'
import { kitMigrations, migrate } from '../../../packages/sql/migrate/migrate.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { freePort } from '../../../packages/testkit/free-port.ts'
import { templateDatabase, testDatabase } from '../../../packages/testkit/test-database.ts'
import { putSigningKey } from '../../../packages/testkit/test-signing-key.ts'
import { viewAssets } from '../../../packages/views/assets.ts'
import { servedAssets } from '../../../packages/views/served-assets.ts'
import type { DeclaredClient } from '../registration/client-fields.ts'
import { declareClients, declareUsers } from '../registration/declare.ts'
import type { DeclaredUser } from '../registration/user-fields.ts'
import { PasswordHasher } from '../secrets/password.ts'
import { authSection, type AuthSection } from '../section.ts'
import type { AuthKit } from '../make-deps.ts'
import { buildAuth } from '../service.ts'
import { startSmallFhirServer } from './small-fhir-server.ts'
import { TestBrowser } from './test-browser.ts'

export interface TestAuthOptions {
  readonly clock?: Clock
  /** Keys of the section that differ: `{ codeSeconds: 5 }`. */
  readonly section?: Partial<AuthSection>
  /** Clients and users of the configuration; what is left out has its default. */
  readonly clients?: readonly Partial<DeclaredClient>[]
  readonly users?: readonly Partial<DeclaredUser>[]
  readonly mode?: Kit['mode']
  /** By which browsers reach it that are told where that is; its address unless given. */
  readonly host?: string
  /** The FHIR server; a small one of its own unless given. */
  readonly fhirBase?: string
  readonly fhirDeadlineMs?: number
  /** Whose word about the client is believed; nobody's unless given. */
  readonly trustedProxies?: readonly string[]
  /** Another server's database, to run two copies side by side. */
  readonly databaseUrl?: string
}

/** The authorization server alone, on a database of its own, with real HTTP, keys and a small FHIR server. */
export async function startTestAuth(options: TestAuthOptions = {}) {
  const { clock = systemClock, mode = 'demo' } = options
  await using started = new AsyncDisposableStack()
  const fhir = started.use(await startSmallFhirServer())
  const url = options.databaseUrl ?? started.use(await testDatabase({ template: await authTemplate() })).url
  const folder = await mkdtemp(join(tmpdir(), 'corridor-auth-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const captured = capturedLog(clock)
  const { log } = captured
  const metrics = new Metrics()
  const database = started.adopt(await openDatabase({ url, poolMax: 8, clock, log, metrics }), (open) => open.close())
  await putSigningKey(folder, clock)
  const signingKeys = await openKeyStore({ directory: folder, clock, log })

  const port = await freePort()
  const issuer = `http://${options.host ?? '127.0.0.1'}:${port}`
  const fhirBase = options.fhirBase ?? fhir.base
  const limits = { deadlineMs: options.fhirDeadlineMs ?? 20_000, responseBytesMax: 1_048_576 }
  const outbound = started.adopt(
    makeOutbound({ ...limits, origins: [{ name: 'fhir-service', url: fhirBase }], clock, log, metrics }),
    (open) => open.close(),
  )
  const section = {
    ...defaultSection(folder, issuer),
    auditToFhir: false,
    clients: declareClients(options.clients ?? []),
    users: declareUsers(options.users ?? []),
    ...options.section,
  }
  const assets = servedAssets(viewAssets())
  const kit: AuthKit = {
    ...{ mode, clock, ids: systemIds, random: systemRandom, log, metrics, database, outbound, signingKeys },
    addresses: { auth: issuer, fhir: fhirBase, immunization: appUrl },
    neighbours: {},
    graceMs: (wantedMs) => wantedMs,
    pages: { assetUrl: assets.urlOf },
  }
  const passwordCost = { memoryKilobytes: 64, passes: 1 }
  const demoPasswordHash = await new PasswordHasher(passwordCost).hash('demo')
  const parts = await buildAuth(section, kit, { passwordCost, demoPasswordHash })
  started.defer(parts.close)
  const server = started.adopt(
    await startHttpServer({
      ...{ name: 'auth', title: 'Authorization server', version: '0.0.0', clock, ids: systemIds, log, metrics },
      routes: [...parts.routes, ...assets.routes],
      deps: parts.deps,
      listen: { hosts: ['127.0.0.1'], port },
      publicUrl: issuer,
      proxies: proxyTrust(options.trustedProxies ?? []),
      verifier: parts.deps.accessTokens,
      scopeMatches,
      htmlError: parts.errorPage,
    }),
    (open) => open.close(500),
  )
  const life = started.move()
  return {
    url: server.url,
    ...{ fhir, fhirBase, database, signingKeys, captured, deps: parts.deps, section, databaseUrl: url },
    /** How many statements the server has sent to its database. */
    statements: async () => Number(/^corridor_database_query_seconds_count\S* (\d+)$/m.exec(await metrics.text())?.[1]),
    /** A browser with a cookie jar of its own. */
    browser: () => new TestBrowser(server.url),
    [Symbol.asyncDispose]: () => life.disposeAsync(),
  }
}

export type TestAuth = Awaited<ReturnType<typeof startTestAuth>>

/** Where the demo's immunization app would be. Nothing listens there: redirects to it are looked at, not followed. */
export const appUrl = 'http://localhost:8084'

const authTemplate = () =>
  templateDatabase('auth', async (url) => {
    await migrate(url, [kitMigrations, { owner: 'auth', folder: new URL('../migrations/', import.meta.url) }])
  })

function defaultSection(folder: string, issuer: string): AuthSection {
  const schema = {
    dataDir: path({ default: folder, meaning: '' }),
    immunization: { url: address({ default: appUrl, meaning: '' }) },
    auth: authSection,
  }
  return loadConfiguration(schema, { environment: {}, defaults: { 'auth.url': issuer } }).configuration.auth
}
