import { join } from 'node:path'
import { systemIds } from '../packages/clock/ids.ts'
import { assert } from '../packages/faults/fault.ts'
import { makeTestKey, type TestKey } from '../packages/testkit/test-key.ts'
import { makeSigner } from '../packages/tokens/signer.ts'
import { makeCodes, redirectUri } from './auth-tokens/make-codes.ts'
import { noteProcessorTime, postmasterIn, type Processes } from './auth-tokens/note-processor-time.ts'
import type { AuthServer } from './auth-tokens/server.ts'
import { benchmark, type Round } from './harness/benchmark.ts'
import { startDurableDatabase } from './harness/durable-database.ts'
import { KeptConnection, postRequest } from './harness/kept-connection.ts'
import { repeat } from './harness/repeat.ts'
import { startServer } from './harness/start-server.ts'

/** Apps that each wait for their tokens before they ask again: so many that there is always something to sign. */
const callers = 64
/** Of each kind. A server that has run for a day is compiled; here it took some thousand requests until V8 was done. */
const warmUps = 3_000
const codesMade = 30_000
const verifier = systemIds.secret(72)

interface App {
  readonly connection: KeptConnection
  refreshToken: string
}

/** A server's callers, and the processes whose work they are. */
interface Served {
  readonly apps: readonly App[]
  readonly processes: Processes
}

interface World extends AsyncDisposable, Served {
  /** By a server that does nothing but sign. */
  readonly bare: Served
  readonly key: TestKey
  /** Requests as they go over the wire: what the load need not do meanwhile, the server can. */
  readonly exchanges: string[]
  readonly service: string
}

export default benchmark<World>({
  name: 'auth-tokens',
  title: `${callers} apps ask the token endpoint; a code or a refresh is three signatures, client credentials one, against RS256 alone`,
  unit: 'signatures/s',
  async setup({ progress }) {
    await using stack = new AsyncDisposableStack()
    const { url: databaseUrl, folder } = stack.use(await startDurableDatabase(progress))
    progress('starting the service in a process of its own')
    const programAt = (name: string) => new URL(`auth-tokens/${name}`, import.meta.url)
    const server = stack.use(await startServer<AuthServer>(programAt('server'), [databaseUrl, join(folder, 'keys')]))
    const bareServer = stack.use(await startServer<AuthServer>(programAt('bare-server')))
    progress(`making ${codesMade} codes`)
    const exchanges = (await makeCodes(codesMade, verifier, databaseUrl)).map(exchangeOf)
    const connected = (to = server.printed.url) => stack.adopt(new KeptConnection(to), (open) => open.close())
    const apps = await Promise.all(
      Array.from({ length: callers }, async () => {
        const connection = connected()
        return { connection, refreshToken: memberOf('refresh_token', await connection.ask(nextOf(exchanges))) }
      }),
    )
    const service = memberOf('access_token', await connected().ask(credentials))
    progress(`${warmUps} requests of each kind to warm up`)
    await warmUp(apps, async (app) => {
      await app.connection.ask(nextOf(exchanges))
      await refresh(app)
      await app.connection.ask(credentials)
    })
    const postmasterPid = await postmasterIn(folder)
    const processes = { serverPid: server.child.pid, postmasterPid }
    const bare = {
      apps: Array.from({ length: callers }, () => ({
        connection: connected(bareServer.printed.url),
        refreshToken: '',
      })),
      processes: { serverPid: bareServer.child.pid, postmasterPid },
    }
    await warmUp(bare.apps, ({ connection }) => connection.ask(signatures(3)))
    const key = await makeTestKey()
    const owned = stack.move()
    return { apps, bare, processes, key, exchanges, service, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  },
  variants: {
    // The limit: the same signer on the same thread pool, with nothing else to do on any core (decision 0741).
    'RS256 alone': async ({ key }, round) => {
      const signer = makeSigner(key)
      const claims = { sub: 'dr-amara', scope: 'openid fhirUser offline_access', jti: systemIds.uuid() }
      return repeat(round, callers, () => signer.sign({ typ: 'at+jwt', claims }))
    },
    // What a server without clients, grants and rows would reach, with the same load on the same cores.
    'bare HTTP, three signatures': async ({ bare }, round) =>
      (await asApps(bare, round, ({ connection }) => connection.ask(signatures(3)))) * 3,
    'bare HTTP, one signature': ({ bare }, round) =>
      asApps(bare, round, ({ connection }) => connection.ask(signatures(1))),
    'code exchanges': async (world, round) =>
      (await asApps(world, round, ({ connection }) => connection.ask(nextOf(world.exchanges)))) * 3,
    refreshes: async (world, round) => (await asApps(world, round, refresh)) * 3,
    'client credentials': (world, round) => asApps(world, round, ({ connection }) => connection.ask(credentials)),
    'introspections (no signature)': (world, round) => {
      const request = postRequest('/oauth2/introspect', { form: { token: world.service, ...bridge } })
      return asApps(world, round, ({ connection }) => connection.ask(request))
    },
  },
})

async function warmUp(apps: readonly App[], request: (app: App) => Promise<unknown>): Promise<void> {
  let left = warmUps
  const untilWarm = async (app: App) => {
    while (left-- > 0) await request(app)
  }
  await Promise.all(apps.map(untilWarm))
}

const bridge = { client_id: 'svc-bridge', client_secret: 'demo' }

const tokenRequest = (fields: Readonly<Record<string, string>>) => postRequest('/oauth2/token', { form: fields })

const credentials = tokenRequest({ grant_type: 'client_credentials', ...bridge })

/** Of the bare server: the same form, read by nobody. */
const signatures = (count: number) =>
  postRequest(`/${count}`, { form: { grant_type: 'client_credentials', ...bridge } })

const exchangeOf = (code: string) =>
  tokenRequest({
    grant_type: 'authorization_code',
    ...{ code, redirect_uri: redirectUri, client_id: 'demo-app', code_verifier: verifier },
  })

/** Put together by hand: a token needs no escapes, and what the load need not do, the server can. */
function refreshOf(token: string): string {
  const body = `grant_type=refresh_token&client_id=demo-app&refresh_token=${token}`
  return `${refreshHead}content-length: ${body.length}\r\n\r\n${body}`
}

const refreshHead =
  'POST /oauth2/token HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-www-form-urlencoded\r\n'

/** Each app has a token of its own, which every refresh replaces. */
async function refresh(app: App): Promise<void> {
  app.refreshToken = memberOf('refresh_token', await app.connection.ask(refreshOf(app.refreshToken)))
}

/** A text without escapes in the answer, found without reading the rest of it. */
function memberOf(name: string, answer: string): string {
  const start = answer.indexOf(`"${name}":"`) + name.length + 4
  return answer.slice(start, answer.indexOf('"', start))
}

/** Every app does one after the other. */
function asApps({ apps, processes }: Served, round: Round, operation: (app: App) => Promise<unknown>): Promise<number> {
  const free = [...apps]
  return noteProcessorTime(round, processes, (noting) =>
    repeat(noting, apps.length, async () => {
      const app = free.pop()
      assert(app !== undefined, 'there are as many apps as callers')
      await operation(app)
      free.push(app)
    }),
  )
}

function nextOf(exchanges: string[]): string {
  const exchange = exchanges.pop()
  assert(exchange !== undefined, `${codesMade} codes were not enough`)
  return exchange
}
