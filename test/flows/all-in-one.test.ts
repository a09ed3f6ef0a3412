import { expect, it, describe } from 'vitest'
import { serviceNames } from '../../apps/corridor/service-names.ts'
import { testCorridor } from '../../packages/testkit/test-corridor.ts'

describe('a whole Corridor in one process', () => {
  it('answers health, readiness, info, metrics, documentation and a front page on every service', async () => {
    await using corridor = await testCorridor()
    for (const name of serviceNames) {
      const base = new URL(corridor.url(name)).origin
      const get = async (path: string, accept = '*/*') => fetch(`${base}${path}`, { headers: { accept } })
      expect(await (await get('/actuator/health')).json(), name).toEqual({ status: 'UP' })
      expect(await (await get('/actuator/health/readiness')).json()).toEqual({ status: 'UP' })
      expect(await (await get('/actuator/health/liveness')).json()).toEqual({ status: 'UP' })
      expect(await (await get('/actuator/info')).json()).toMatchObject({ build: { artifact: `corridor-${name}` } })
      expect(await (await get('/actuator/prometheus')).text()).toContain('corridor_')
      expect(await (await get('/docs/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' })
      expect(await (await get('/docs', 'text/html')).text()).toContain('<!doctype html>')
      expect(await (await get('/', 'text/html')).text()).toContain('<!doctype html>')
    }
  })

  it('names in its OpenAPI the cookie that a login sets', async () => {
    await using corridor = await testCorridor({ services: ['auth'] })
    const { components } = (await (await fetch(`${corridor.url('auth')}/docs/openapi.json`)).json()) as {
      components: { securitySchemes: { session: { name: string } } }
    }
    const login = await fetch(`${corridor.url('auth')}/login`, {
      ...{ method: 'POST', redirect: 'manual', headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' } },
      body: new URLSearchParams({ username: 'clinician', password: 'demo' }),
    })
    expect(login.headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toContain(
      components.securitySchemes.session.name,
    )
  })

  it('shows the parts of its health to an administrator and to nobody else', async () => {
    await using corridor = await testCorridor({ services: ['auth', 'consent'] })
    const health = async (role: 'ADMIN' | 'CLINICIAN') => {
      const headers = { authorization: await corridor.bearerFor({ role }) }
      return (await fetch(`${corridor.url('consent')}/actuator/health`, { headers })).json()
    }
    expect(await health('ADMIN')).toEqual({
      status: 'UP',
      components: { database: { status: 'UP' }, diskSpace: { status: 'UP', details: expect.any(Object) } },
    })
    expect(await health('CLINICIAN')).toEqual({ status: 'UP' })
  })

  it('checks tokens by the key set of an authorization server that runs elsewhere', async () => {
    await using auth = await testCorridor({ services: ['auth'] })
    await using consent = await testCorridor({ services: ['consent'], settings: { 'auth.url': auth.url('auth') } })
    // Health is everybody's; its parts are for a token that holds.
    const ask = async (authorization: string) => {
      const answer = await fetch(`${consent.url('consent')}/actuator/health`, { headers: { authorization } })
      return [answer.status, Object.keys((await answer.json()) as object)]
    }
    expect(await ask(await auth.bearerFor({ role: 'ADMIN' }))).toEqual([200, ['status', 'components']])
    const forSomebodyElse = await auth.bearerFor({ role: 'ADMIN', audience: 'somebody-else' })
    expect(await ask(forSomebodyElse)).toEqual([200, ['status']])
  })

  it('publishes its signing key and never a private part of it', async () => {
    await using corridor = await testCorridor({ services: ['auth'] })
    const answer = await fetch(`${corridor.url('auth')}/oauth2/jwks`)
    const { keys } = (await answer.json()) as { keys: Record<string, string>[] }
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'e', 'kid', 'kty', 'n', 'use']])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('lives twice in one process without sharing anything', async () => {
    await using one = await testCorridor({ services: ['auth', 'fhir'] })
    await using two = await testCorridor({ services: ['auth', 'fhir'] })
    expect(one.url('auth')).not.toBe(two.url('auth'))
    await one.stop()
    expect((await fetch(`${two.url('auth')}/actuator/health`)).status).toBe(200)
    await expect(fetch(`${one.url('auth')}/actuator/health`)).rejects.toThrow('fetch failed')
  })

  it('tells in words and as a problem that nothing is at an address', async () => {
    await using corridor = await testCorridor({ services: ['referral'] })
    const at = (path: string, accept: string) => fetch(`${corridor.url('referral')}${path}`, { headers: { accept } })
    for (const problem of [await at('/nothing-here', '*/*'), await at('/api/nothing-here', 'text/html')]) {
      expect(problem.headers.get('content-type')).toContain('application/problem+json')
      expect(await problem.json()).toMatchObject({ status: 404, title: 'Not Found' })
    }
    const page = await at('/nothing-here', 'text/html')
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  })
})
