import { systemClock, type Clock } from '../../clock/clock.ts'
import { systemIds } from '../../clock/ids.ts'
import { unauthenticated } from '../../faults/fault.ts'
import { makeLog } from '../../log/log.ts'
import { Metrics } from '../../metrics/metrics.ts'
import type { Caller, Role } from '../../tokens/caller.ts'
import type { TokenVerifier } from '../../tokens/verifier.ts'
import type { Route } from '../route.ts'
import { startHttpServer, type HttpServer, type HttpServerOptions } from '../server.ts'

/** For this folder's tests: a server on a free port with a verifier that reads the token's own text. */
export interface TestServer extends HttpServer, AsyncDisposable {
  readonly logLines: string[]
  readonly metrics: Metrics
}

type Overrides<Deps> = Partial<Omit<HttpServerOptions<Deps>, 'listen'>> & {
  listen?: Partial<HttpServerOptions<Deps>['listen']>
  clock?: Clock
}

export async function testServer<Deps = unknown>(
  routes: readonly Route<Deps>[],
  overrides: Overrides<Deps> = {},
): Promise<TestServer> {
  const logLines: string[] = []
  const clock = overrides.clock ?? systemClock
  const metrics = overrides.metrics ?? new Metrics()
  const server = await startHttpServer<Deps>({
    name: 'tested',
    title: 'Tested service',
    version: '1.2.3',
    routes,
    // Sound: tests whose routes use deps give them.
    deps: undefined as Deps,
    verifier: textVerifier,
    clock,
    ids: systemIds,
    log: makeLog({ level: 'debug', sink: { write: (line) => logLines.push(line) }, clock }),
    ...overrides,
    metrics,
    listen: { hosts: ['127.0.0.1'], port: 0, ...overrides.listen },
  })
  return { ...server, logLines, metrics, [Symbol.asyncDispose]: () => server.close(500) }
}

/** `ADMIN+CLINICIAN~read` is a token with two roles and a scope; anything without a tilde is refused. */
export const textVerifier: TokenVerifier = {
  async verify(token) {
    const [names, scope] = token.split('~')
    if (names === undefined || scope === undefined) {
      throw unauthenticated('The access token is not valid.', { code: 'invalid_token' })
    }
    return callerWith(names.split('+') as Role[], scope)
  },
}

export function callerWith(names: readonly Role[], scope = ''): Caller {
  return {
    subject: 'dr-amara',
    clientId: 'demo-app',
    roles: new Set(names),
    scope,
    organisation: undefined,
    patient: undefined,
    encounter: undefined,
    fhirUser: undefined,
    tokenId: 't-1',
    grantId: undefined,
    expiresAt: new Date('2030-01-01T00:00:00Z'),
  }
}

/** The header that sends a token. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
