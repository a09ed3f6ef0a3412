// The FHIR service that fhir-http.ts measures, in a process of its own: the load must not share its event loop.
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { assert } from '../../packages/faults/fault.ts'
import { startHttpServer } from '../../packages/http/server.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import { testIssuer } from '../../packages/testkit/tokens.ts'
import { localKeySet } from '../../packages/tokens/key-set.ts'
import { makeTokenVerifier } from '../../packages/tokens/verifier.ts'
import { fhirErrors } from '../../services/fhir/routes/fhir-errors.ts'
import { fhirRoutes } from '../../services/fhir/routes/routes.ts'
import { openService, section } from './store-world.ts'

/** What the program prints first, as one line of JSON; then, every half second, `memory` and megabytes. */
export interface FhirServer {
  readonly url: string
  readonly token: string
}

const [databaseUrl] = process.argv.slice(2)
assert(databaseUrl !== undefined, 'the address of the database is the argument')
const { deps } = await openService(databaseUrl)
const issuer = await testIssuer()
const server = await startHttpServer({
  ...{ name: 'fhir', title: 'FHIR', version: '0', routes: fhirRoutes(section), deps, errors: fhirErrors },
  listen: { hosts: ['127.0.0.1'], port: 0 },
  verifier: makeTokenVerifier({
    ...{ issuer: issuer.url, audiences: ['corridor'], keySet: localKeySet(issuer.jwks), clock: systemClock },
  }),
  ...{ clock: systemClock, ids: systemIds, log: silentLog, metrics: new Metrics() },
})
const token = await issuer.tokenFor({ role: 'SYSTEM', scope: 'system/*.cruds', expiresInSeconds: 86_400 })
const printed: FhirServer = { url: server.url, token }
process.stdout.write(`${JSON.stringify(printed)}\n`)
setInterval(() => process.stdout.write(`memory ${Math.round(process.memoryUsage.rss() / 1_048_576)}\n`), 500)
