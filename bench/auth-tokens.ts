import { extname } from 'node:path'
import { systemIds } from '../packages/clock/ids.ts'
import { assert } from '../packages/faults/fault.ts'
import { silentLog } from '../packages/log/log.ts'
import { openDatabase } from '../packages/sql/database.ts'
import { startChild } from '../packages/testkit/child.ts'
import { makeTestKey, type TestKey } from '../packages/testkit/test-key.ts'
import { makeSigner } from '../packages/tokens/signer.ts'
import { challengeOf } from '../services/auth/authorize/code-challenge.ts'
import { digestOf } from '../services/auth/secrets/digest.ts'
import { addCode } from '../services/auth/store/codes.ts'
import { findActiveUser } from '../services/auth/store/users.ts'
import type { AuthServer } from './auth-tokens/server.ts'
import { benchmark, type Round } from './harness/benchmark.ts'
import { startDurableDatabase } from './harness/durable-database.ts'
import { KeptConnection, postRequest } from './harness/kept-connection.ts'
import { repeat } from './harness/repeat.ts'

/** Apps that each wait for their tokens before they ask again. */
const callers = 32
const codesMade = 30_000
const verifier = systemIds.secret(72)
const redirectUri = 'http://localhost:3000/callback'

interface App {
  readonly connection: KeptConnection
  refreshToken: string
}

interface World extends AsyncDisposable {
  readonly apps: readonly App[]
  readonly key: TestKey
  readonly codes: string[]
  readonly service: string
}

export default benchmark<World>({
  name: 'auth-tokens',
  title: `${callers} apps ask the token endpoint; a code or a refresh is three signatures, client credentials one, against RS256 alone`,
  unit: 'signatures/s',
  async setup({ progress }) {
    await using stack = new AsyncDisposableStack()
    const { url: databaseUrl } = stack.use(await startDurableDatabase(progress))
    progress('starting the service in a process of its own')
    const script = new URL(`auth-tokens/server${extname(import.meta.url)}`, import.meta.url)
    const child = stack.use(await startChild({ script, args: [databaseUrl] }))
    // Sound: the line is what our own program printed.
    const { url } = JSON.parse(await child.waitForLine(/^\{/)) as AuthServer
    progress(`making ${codesMade} codes`)
    const codes = await makeCodes(databaseUrl)
    const apps = await Promise.all(
      Array.from({ length: callers }, async () => {
        const connection = stack.adopt(new KeptConnection(url), (open) => open.close())
        return { connection, refreshToken: (await exchange(connection, nextOf(codes))).refresh_token }
      }),
    )
    const { access_token: service } = await credentials(stack.adopt(new KeptConnection(url), (open) => open.close()))
    const owned = stack.move()
    const key = await makeTestKey()
    return { apps, key, codes, service, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  },
  variants: {
    // The limit: the same signer on the same thread pool, with nothing else to do on any core (decision 0741).
    'RS256 alone': async ({ key }, round) => {
      const signer = makeSigner(key)
      const claims = { sub: 'dr-amara', scope: 'openid fhirUser offline_access', jti: systemIds.uuid() }
      return repeat(round, callers, () => signer.sign({ typ: 'at+jwt', claims }))
    },
    'code exchanges': async ({ apps, codes }, round) =>
      (await asApps(apps, round, ({ connection }) => exchange(connection, nextOf(codes)))) * 3,
    refreshes: async ({ apps }, round) => (await asApps(apps, round, refresh)) * 3,
    'client credentials': ({ apps }, round) => asApps(apps, round, ({ connection }) => credentials(connection)),
    'introspections (no signature)': ({ apps, service }, round) => {
      const request = postRequest('/oauth2/introspect', { form: { token: service, ...bridge } })
      return asApps(apps, round, ({ connection }) => connection.ask(request))
    },
  },
})

const bridge = { client_id: 'svc-bridge', client_secret: 'demo' }

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

const exchange = (connection: KeptConnection, code: string) =>
  tokens(connection, {
    grant_type: 'authorization_code',
    ...{ code, redirect_uri: redirectUri, client_id: 'demo-app', code_verifier: verifier },
  })

const credentials = (connection: KeptConnection) => tokens(connection, { grant_type: 'client_credentials', ...bridge })

/** Each app has a token of its own, which every refresh replaces. */
async function refresh(app: App): Promise<void> {
  const fields = { grant_type: 'refresh_token', refresh_token: app.refreshToken, client_id: 'demo-app' }
  app.refreshToken = (await tokens(app.connection, fields)).refresh_token
}

async function tokens(connection: KeptConnection, fields: Readonly<Record<string, string>>): Promise<Tokens> {
  // Sound: it is the answer of our own route.
  return JSON.parse(await connection.ask(postRequest('/oauth2/token', { form: fields }))) as Tokens
}

/** Every app does one after the other. */
function asApps(apps: readonly App[], round: Round, operation: (app: App) => Promise<unknown>): Promise<number> {
  const free = [...apps]
  return repeat(round, apps.length, async () => {
    const app = free.pop()
    assert(app !== undefined, 'there are as many apps as callers')
    await operation(app)
    free.push(app)
  })
}

function nextOf(codes: string[]): string {
  const code = codes.pop()
  assert(code !== undefined, `${codesMade} codes were not enough`)
  return code
}

async function makeCodes(databaseUrl: string): Promise<string[]> {
  const database = await openDatabase({ url: databaseUrl, poolMax: 4, log: silentLog })
  const user = await findActiveUser('clinician', database)
  assert(user !== undefined, 'the demo has a clinician')
  const codes = Array.from({ length: codesMade }, () => systemIds.secret())
  await database.transaction(async (tx) => {
    for (const code of codes) await addCode(digestOf(code), codeOf(user.id), tx)
  })
  await database.close()
  return codes
}

function codeOf(userId: string): Parameters<typeof addCode>[1] {
  const tomorrow = new Date(Date.now() + 86_400_000)
  return {
    ...{ grantId: systemIds.uuid(), clientId: 'demo-app', userId, sessionHash: 'bench', redirectUri },
    codeChallenge: challengeOf(verifier),
    scope: 'openid fhirUser offline_access',
    ...{ patient: null, encounter: null, nonce: null, signedInAt: new Date() },
    ...{ sessionExpiresAt: tomorrow, expiresAt: tomorrow },
  }
}
