import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemIds as ids } from '../clock/ids.ts'
import { bug } from '../faults/fault.ts'
import { proxyTrust } from '../http/proxy-trust.ts'
import { testServer, textVerifier, type TestServer } from '../http/testing/test-server.ts'
import { silentLog as log } from '../log/log.ts'
import { openDatabase, type Database } from '../sql/database.ts'
import { migrate } from '../sql/migrate/migrate.ts'
import { sql } from '../sql/sql.ts'
import { MovedClock } from '../testkit/moved-clock.ts'
import { testDatabase } from '../testkit/test-database.ts'
import { signInMigrations } from './migrations.ts'
import { signInRoutes } from './routes.ts'
import { SignIn } from './sign-in.ts'

const world = new AsyncDisposableStack()
const clock = new MovedClock(new Date('2026-03-04T05:00:00Z'))
let database: Database
let server: TestServer
beforeAll(async () => {
  const { url } = world.use(await testDatabase())
  await migrate(url, [signInMigrations])
  database = world.adopt(await openDatabase({ url, poolMax: 4, log }), (open) => open.close())
  const outbound = { deadlineMs: 1_000, send: () => Promise.reject(bug('nothing is sent')) }
  const signIn = new SignIn(
    {
      ...{ service: 'tested', serviceUrl: 'http://127.0.0.1:1', authUrl: 'http://auth', fhirUrl: 'http://fhir' },
      ...{ clientId: 'tested', sessionSeconds: 3_600, idleSeconds: 600 },
    },
    { database, clock, ids, outbound, verifier: textVerifier },
  )
  const deps = { signIn, assetUrl: (name: string) => `/assets/${name}` }
  server = world.use(await testServer(signInRoutes, { deps, proxies: proxyTrust(['127.0.0.1']) }))
})
afterAll(() => world.disposeAsync())

const begin = (address: string, more: Readonly<Record<string, string>> = {}) =>
  fetch(`http://127.0.0.1:${server.port}/sign-in`, {
    redirect: 'manual',
    headers: { 'x-forwarded-for': address, ...more },
  })

/** As if each address had begun so many more. */
const beginMore = (count: number) =>
  database.run(sql`
    insert into sign_in.attempts (state_hash, browser_hash, service, sealed_verifier, nonce, return_to, address_hash,
      expires_at)
    select state_hash || number, browser_hash, service, sealed_verifier, nonce, return_to, address_hash, expires_at
    from sign_in.attempts cross join generate_series(1, ${count}::integer) as number`)

const counted = async () => (await database.one<{ n: number }>(sql`select count(*)::integer n from sign_in.attempts`)).n

it('takes the language that the reader has chosen here along, for an authorization server on another host', async () => {
  const suggested = async (headers: Readonly<Record<string, string>>) => {
    const { headers: answer } = await begin('192.0.2.1', headers)
    return new URL(answer.get('location') ?? '').searchParams.get('ui_locales')
  }
  expect(await suggested({ cookie: 'corridor_language=sw' })).toBe('sw')
  // What the browser asks for it says there, too.
  expect(await suggested({ 'accept-language': 'ar', cookie: 'corridor_language=tlh' })).toBeNull()
  await database.run(sql`delete from sign_in.attempts`)
})

describe('those who were sent to sign in and are expected back', () => {
  it('are a thousand of one address, or one network of IPv6, and then others of it wait', async () => {
    expect((await begin('203.0.113.7')).status).toBe(302)
    expect((await begin('2001:db8::7')).status).toBe(302)
    await beginMore(999)
    for (const address of ['203.0.113.7', '2001:db8::8']) {
      const refused = await begin(address)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
      expect(refused.headers.get('set-cookie')).toBeNull()
    }
    expect(await counted()).toBe(2_000)
    expect((await begin('203.0.113.8')).status).toBe(302)
  })

  it('are twenty thousand in all; those who took too long are not counted', async () => {
    clock.forward(961)
    for (let number = 0; number < 25; number++) await begin(`203.0.113.${number}`)
    await database.run(sql`delete from sign_in.attempts where expires_at < ${clock.now()}`)
    await beginMore(799)
    expect(await counted()).toBe(20_000)
    expect((await begin('203.0.113.99')).status).toBe(429)
    clock.forward(961)
    expect((await begin('203.0.113.99')).status).toBe(302)
  })

  it('are waited for as long as the authorization server waits for its user, a quarter of an hour, and not for ever', async () => {
    const comeBackAfter = async (seconds: number) => {
      const begun = await begin('198.51.100.1')
      const [cookie = '', ...attributes] = (begun.headers.get('set-cookie') ?? '').split('; ')
      expect(attributes).toContain('Max-Age=960')
      const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
      clock.forward(seconds)
      const address = `http://127.0.0.1:${server.port}/sign-in/callback?${new URLSearchParams({ state, error: 'x' })}`
      return (await fetch(address, { headers: { cookie, accept: 'application/json' } })).json()
    }
    expect(await comeBackAfter(915)).toMatchObject({ code: 'SIGN_IN_REFUSED' })
    expect(await comeBackAfter(961)).toMatchObject({ code: 'SIGN_IN_EXPIRED' })
  })
})
