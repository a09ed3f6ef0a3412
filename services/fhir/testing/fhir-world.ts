import { systemClock, type Clock } from '../../../packages/clock/clock.ts'
import { systemIds, systemRandom } from '../../../packages/clock/ids.ts'
import { makeOutbound } from '../../../packages/http/outbound/outbound.ts'
import { callerWith, testServer } from '../../../packages/http/testing/test-server.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import { scopeMatches } from '../../../packages/smart/scope-matches.ts'
import type { Kit } from '../../../packages/service/service.ts'
import { freePort } from '../../../packages/testkit/free-port.ts'
import type { Caller, Role } from '../../../packages/tokens/caller.ts'
import type { TokenVerifier } from '../../../packages/tokens/verifier.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { fhirErrors } from '../routes/fhir-errors.ts'
import { fhirRoutes } from '../routes/routes.ts'
import { makeFhirDeps } from '../make-deps.ts'
import type { Seen } from './seen.ts'
import { fhirDatabase } from './fhir-database.ts'

interface FhirWorldOptions {
  readonly clock?: Clock
  readonly bodyBytesMax?: number
  readonly bundleEntriesMax?: number
  readonly allowedOrigins?: readonly string[]
  /** The address of an authorization server. */
  readonly authUrl?: string
}

export interface FhirWorld extends AsyncDisposable {
  readonly base: string
  readonly database: Database
  readonly deps: Awaited<ReturnType<typeof makeFhirDeps>>
  /** A call with a token that may do everything, unless the headers say otherwise. */
  call(method: string, path: string, options?: CallOptions): Promise<Called>
}

interface CallOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Null: without a token. */
  readonly as?: TestCaller | null
}

export interface Called {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The JSON of the answer; undefined where there is none. */
  readonly body: Seen
}

/** Who calls: what their token says. */
export type TestCaller = Partial<Pick<Caller, 'scope' | 'patient' | 'fhirUser' | 'subject' | 'clientId'>> & {
  readonly roles?: readonly Role[]
}

/** A program of the platform that may do everything. */
export const program: TestCaller = { roles: ['SYSTEM'], scope: 'system/*.cruds' }

/** The token is its own content, in base64url. */
export const tokenOf = (caller: TestCaller): string => Buffer.from(JSON.stringify(caller)).toString('base64url')

const contentVerifier: TokenVerifier = {
  async verify(token) {
    const { roles = [], scope, ...rest } = JSON.parse(Buffer.from(token, 'base64url').toString()) as TestCaller
    return { ...callerWith(roles, scope), ...rest }
  },
}

/** The FHIR store on a database and a port of its own. */
export async function fhirWorld(options: FhirWorldOptions = {}): Promise<FhirWorld> {
  await using stack = new AsyncDisposableStack()
  const { database } = stack.use(await fhirDatabase())
  const port = await freePort()
  const base = `http://127.0.0.1:${port}/fhir`
  const { clock = systemClock, authUrl = 'http://127.0.0.1:9' } = options
  const metrics = new Metrics()
  const outbound = makeOutbound({
    ...{ origins: [authUrl], deadlineMs: 2_000, responseBytesMax: 1_000_000 },
    ...{ clock, log: silentLog, metrics },
  })
  stack.defer(() => outbound.close())
  const kit: Kit = {
    ...{ mode: 'demo', clock, ids: systemIds, random: systemRandom, log: silentLog, metrics, database, outbound },
    signingKeys: undefined,
    addresses: { auth: authUrl, fhir: base, consent: 'http://consent.test', referral: 'http://referral.test' },
    neighbours: {},
    graceMs: (wantedMs) => wantedMs,
  }
  const section = {
    ...{ port, url: base, tls: { certificateFile: undefined, keyFile: undefined } },
    bodyBytesMax: options.bodyBytesMax ?? 33_554_432,
    bundleEntriesMax: options.bundleEntriesMax ?? 10_000,
    allowedOrigins: options.allowedOrigins ?? [],
    ...{ consentClientId: 'svc-consent', referralClientId: 'svc-referral' },
  }
  const deps = await makeFhirDeps(section, kit)
  stack.defer(async () => {
    await deps.store.close()
    await deps.auditor.close()
  })
  stack.use(
    await testServer(fhirRoutes(section), {
      ...{ deps, clock, errors: fhirErrors, listen: { port }, verifier: contentVerifier, scopeMatches },
    }),
  )
  const owned = stack.move()
  return {
    ...{ base, database, deps },
    call: (method, path, given) => call(base, method, path, given),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function call(base: string, method: string, path: string, options: CallOptions = {}): Promise<Called> {
  const { body, as = program } = options
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(as === null ? {} : { authorization: `Bearer ${tokenOf(as)}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/fhir+json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: seenIn(text) }
}

/** Sound as far as a test that looks at what is not there fails. */
const seenIn = (text: string) => (text === '' ? undefined : JSON.parse(text)) as Seen
