// The authorization server that auth-tokens.ts measures, in a process of its own: the load must not share its loop.
import { corridorConfiguration } from '../../apps/corridor/load-configuration.ts'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds, systemRandom } from '../../packages/clock/ids.ts'
import { assert } from '../../packages/faults/fault.ts'
import { makeOutbound } from '../../packages/http/outbound/outbound.ts'
import { startHttpServer } from '../../packages/http/server.ts'
import { openKeyStore } from '../../packages/keys/key-store.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { kitMigrations, migrate } from '../../packages/sql/migrate/migrate.ts'
import { buildAuth } from '../../services/auth/service.ts'

/** What the program prints, as one line of JSON. */
export interface AuthServer {
  readonly url: string
}

const [databaseUrl, keyDirectory] = process.argv.slice(2)
assert(
  databaseUrl !== undefined && keyDirectory !== undefined,
  'the address of the database and the folder of the keys are the arguments',
)
await migrate(databaseUrl, [
  kitMigrations,
  { owner: 'auth', folder: new URL('../../services/auth/migrations/', import.meta.url) },
])
const common = { clock: systemClock, log: silentLog, metrics: new Metrics() }
const { auth, fhir, immunization } = corridorConfiguration({ demo: true, environment: {} }).configuration
const parts = await buildAuth(
  { ...auth, auditToFhir: false },
  {
    ...common,
    ...{ mode: 'demo', ids: systemIds, random: systemRandom },
    database: await openDatabase({ url: databaseUrl, poolMax: 20, ...common }),
    outbound: makeOutbound({ origins: [], deadlineMs: 1_000, responseBytesMax: 1_000, ...common }),
    signingKeys: await openKeyStore({ directory: keyDirectory, ...common }),
    addresses: { auth: auth.url, fhir: fhir.url, immunization: immunization.url },
    neighbours: {},
    graceMs: (wantedMs) => wantedMs,
    pages: { assetUrl: (name) => `/assets/${name}` },
  },
)
const server = await startHttpServer({
  ...{ name: 'auth', title: 'Authorization server', version: '0', ...common, ids: systemIds },
  routes: parts.routes,
  deps: parts.deps,
  listen: { hosts: ['127.0.0.1'], port: 0 },
  verifier: parts.deps.accessTokens,
})
const printed: AuthServer = { url: server.url }
process.stdout.write(`${JSON.stringify(printed)}\n`)
