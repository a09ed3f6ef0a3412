// The consent service that consent-evaluate.ts measures, in a process of its own: the load must not share its loop.
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { assert } from '../../packages/faults/fault.ts'
import { startHttpServer } from '../../packages/http/server.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import { testIssuer } from '../../packages/testkit/tokens.ts'
import { consentRoutes } from '../../services/consent/routes/routes.ts'
import { openSide } from './side.ts'

/** What the program prints, as one line of JSON. */
export interface ConsentServers {
  readonly urls: readonly string[]
  readonly token: string
}

const issuer = await testIssuer()
const databaseUrls = process.argv.slice(2)
assert(databaseUrls.length > 0, 'the addresses of the databases are the arguments')

const urls: string[] = []
for (const databaseUrl of databaseUrls) {
  const { deps } = await openSide(databaseUrl)
  const server = await startHttpServer({
    ...{ name: 'consent', title: 'Consent service', version: '0', routes: consentRoutes, deps },
    listen: { hosts: ['127.0.0.1'], port: 0 },
    verifier: issuer.verifier(),
    ...{ clock: systemClock, ids: systemIds, log: silentLog, metrics: new Metrics() },
  })
  urls.push(server.url)
}
const token = await issuer.tokenFor({ role: 'SYSTEM', expiresInSeconds: 86_400 })
const servers: ConsentServers = { urls, token }
process.stdout.write(`${JSON.stringify(servers)}\n`)
