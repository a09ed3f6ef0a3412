// The server that http-token.ts measures, in a process of its own: the load must not share its event loop.
import { Type } from 'typebox'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { route } from '../../packages/http/route.ts'
import { startHttpServer } from '../../packages/http/server.ts'
import { anyone, signedIn } from '../../packages/http/who.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import { testIssuer } from '../../packages/testkit/tokens.ts'
import { localKeySet } from '../../packages/tokens/key-set.ts'
import { makeTokenVerifier } from '../../packages/tokens/verifier.ts'

/** What the program prints, as one line of JSON. */
export interface HelloServers {
  /** Remembers tokens that it has verified, as every service does. */
  readonly url: string
  /** Verifies the signature on every request. */
  readonly forgetfulUrl: string
  readonly token: string
}

const Greeting = Type.Object({ message: Type.String() })

const hello = route({
  method: 'GET',
  path: '/hello',
  who: anyone,
  summary: 'Greets anyone',
  output: { 200: Greeting },
  run: () => ({ message: 'hello' }),
})

const helloCaller = route({
  method: 'GET',
  path: '/hello-caller',
  who: signedIn,
  summary: 'Greets a caller with a token',
  output: { 200: Greeting },
  run: ({ caller }) => ({ message: `hello ${caller.subject}` }),
})

const issuer = await testIssuer()

async function startHello(cacheSeconds: number): Promise<string> {
  const keySet = localKeySet(issuer.jwks)
  const clock = systemClock
  const server = await startHttpServer({
    name: 'hello',
    title: 'Hello',
    version: '0',
    routes: [hello, helloCaller],
    deps: {},
    listen: { hosts: ['127.0.0.1'], port: 0 },
    verifier: makeTokenVerifier({ issuer: issuer.url, audiences: ['corridor'], keySet, clock, cacheSeconds }),
    clock,
    ids: systemIds,
    log: silentLog,
    metrics: new Metrics(),
  })
  return server.url
}

const [url, forgetfulUrl] = await Promise.all([startHello(60), startHello(0)])
const token = await issuer.tokenFor({ role: 'CLINICIAN', expiresInSeconds: 86_400 })
const servers: HelloServers = { url, forgetfulUrl, token }
process.stdout.write(`${JSON.stringify(servers)}\n`)
