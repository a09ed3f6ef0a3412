import { extname } from 'node:path'
import { systemIds } from '../packages/clock/ids.ts'
import { assert, unavailable } from '../packages/faults/fault.ts'
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
import { repeat } from './harness/repeat.ts'

/** Apps that each wait for their tokens before they ask again. */
const callers = 16
const codesMade = 8_000
const verifier = systemIds.secret(72)
const redirectUri = 'http://localhost:3000/callback'

interface World extends AsyncDisposable {
  readonly url: string
  readonly key: TestKey
  readonly codes: string[]
  readonly refreshTokens: string[]
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
    const refreshTokens: string[] = []
    for (const code of codes.splice(0, callers)) refreshTokens.push((await exchange(url, code)).refresh_token)
    const { access_token: service } = await credentials(url)
    const owned = stack.move()
    const key = await makeTestKey()
    return { url, key, codes, refreshTokens, service, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  },
  variants: {
    'RS256 alone': async ({ key }, round) => {
      const signer = makeSigner(key)
      const claims = { sub: 'dr-amara', scope: 'openid fhirUser offline_access', jti: systemIds.uuid() }
      return repeat(round, callers, () => signer.sign({ typ: 'at+jwt', claims }))
    },
    'code exchanges': async ({ url, codes }, round) => {
      const figure = await repeat(round, callers, async () => exchange(url, nextOf(codes)))
      return figure * 3
    },
    refreshes: async ({ url, refreshTokens }, round) => (await refreshing(url, refreshTokens, round)) * 3,
    'client credentials': ({ url }, round) => repeat(round, callers, () => credentials(url)),
    'introspections (no signature)': ({ url, service }, round) =>
      repeat(round, callers, () => form(url, '/oauth2/introspect', { token: service, ...bridge })),
  },
})

const bridge = { client_id: 'svc-bridge', client_secret: 'demo' }

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

const exchange = (url: string, code: string) =>
  form(url, '/oauth2/token', {
    grant_type: 'authorization_code',
    ...{ code, redirect_uri: redirectUri, client_id: 'demo-app', code_verifier: verifier },
  })

const credentials = (url: string) => form(url, '/oauth2/token', { grant_type: 'client_credentials', ...bridge })

/** Each caller has a token of its own, which every refresh replaces. */
function refreshing(url: string, tokens: string[], round: Round): Promise<number> {
  const free = [...tokens.keys()]
  return repeat(round, callers, async () => {
    const at = free.pop()
    assert(at !== undefined, 'there are as many tokens as callers')
    const fields = { grant_type: 'refresh_token', refresh_token: tokens[at] ?? '', client_id: 'demo-app' }
    tokens[at] = (await form(url, '/oauth2/token', fields)).refresh_token
    free.push(at)
  })
}

async function form(url: string, path: string, fields: Readonly<Record<string, string>>): Promise<Tokens> {
  const response = await fetch(url + path, { method: 'POST', body: new URLSearchParams(fields) })
  if (!response.ok) throw unavailable(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Tokens
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
  const add = (code: string) => addCode(digestOf(code), codeOf(user.id), database)
  for (let from = 0; from < codes.length; from += 100) await Promise.all(codes.slice(from, from + 100).map(add))
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
