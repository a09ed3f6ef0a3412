import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { unavailable } from '../faults/fault.ts'
import { Metrics } from '../metrics/metrics.ts'
import { capturedLog } from '../testkit/captured-log.ts'
import type { TokenVerifier } from '../tokens/verifier.ts'
import { nothing } from './content.ts'
import { text } from './fields.ts'
import { HealthMonitor, measureHealth } from './health.ts'
import { route } from './route.ts'
import { bearer, testServer, textVerifier } from './testing/test-server.ts'
import { TestSocket } from './testing/test-socket.ts'
import { roles } from './who.ts'

const down = { database: async () => {}, consentService: () => Promise.reject(new Error('no route to 10.0.0.7')) }

describe('/actuator', () => {
  it.each([
    [{ database: async () => {} }, undefined, 200, { status: 'UP' }],
    [{}, undefined, 200, { status: 'UP' }],
    [down, undefined, 503, { status: 'DOWN' }],
    [down, 'CLINICIAN~', 503, { status: 'DOWN' }],
    [{}, 'a token that is no longer good', 200, { status: 'UP' }],
    [down, 'x', 503, { status: 'DOWN' }],
    [
      down,
      'ADMIN~',
      503,
      { status: 'DOWN', components: { database: { status: 'UP' }, consentService: { status: 'DOWN' } } },
    ],
  ])('health of %o with the token %s is %i', async (checks, token, status, body) => {
    await using server = await testServer([], { actuator: { checks } })
    const answer = await fetch(`${server.url}/actuator/health`, token === undefined ? {} : { headers: bearer(token) })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toEqual(body)
  })

  it('liveness stays up while readiness is down', async () => {
    await using server = await testServer([], { actuator: { checks: down } })
    expect((await fetch(`${server.url}/actuator/health/liveness`)).status).toBe(200)
    expect((await fetch(`${server.url}/actuator/health/readiness`)).status).toBe(503)
  })

  it('a part of its own that is not well makes it unwell, and not unready; what ails it is for administrators', async () => {
    const parts = {
      diskSpace: async () => ({ status: 'DOWN' as const, details: { free: 7, exists: true } }),
      broken: () => Promise.reject(new Error('no route to 10.0.0.7')),
    }
    await using server = await testServer([], { actuator: { checks: { database: async () => {} }, parts } })
    const ask = async (path: string, headers = {}) => {
      const answer = await fetch(`${server.url}/actuator/${path}`, { headers })
      return [answer.status, await answer.json()]
    }
    expect(await ask('health/readiness')).toEqual([200, { status: 'UP' }])
    expect(await ask('health')).toEqual([503, { status: 'DOWN' }])
    const components = {
      database: { status: 'UP' },
      diskSpace: { status: 'DOWN', details: { free: 7, exists: true } },
      broken: { status: 'DOWN' },
    }
    expect(await ask('health', bearer('ADMIN~'))).toEqual([503, { status: 'DOWN', components }])
  })

  it('info tells the build', async () => {
    const build = { artifact: 'corridor-tested', name: 'Tested service', version: '1.2.3' }
    const git = { commit: { id: 'abc', time: '2026-01-01T00:00:00Z' }, dirty: false }
    const time = '2026-01-02T00:00:00Z'
    await using server = await testServer([], { actuator: { build: { time, git } } })
    expect(await (await fetch(`${server.url}/actuator/info`)).json()).toEqual({ build: { ...build, time }, git })
    await using bare = await testServer([])
    expect(await (await fetch(`${bare.url}/actuator/info`)).json()).toEqual({ build })
  })

  it('prometheus is open on this machine only; through a proxy it wants a token', async () => {
    await using server = await testServer([])
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${server.url}/actuator/prometheus`, { headers: { 'x-forwarded-for': '203.0.113.9', ...headers } }))
        .status
    expect(await ask({})).toBe(401)
    expect(await ask(bearer('PATIENT~'))).toBe(403)
    expect(await ask(bearer('ADMIN~'))).toBe(200)
  })

  it.each([
    ['localhost', 200],
    ['127.0.0.1:9000', 200],
    ['hub.example', 401],
    ['localhost.hub.example', 401],
  ])(
    'prometheus is open to who asks this machine for it, and not a proxy or a page that calls it %s: %i',
    async (host, status) => {
      await using server = await testServer([])
      using socket = await TestSocket.open(server.url)
      socket.write(`GET /actuator/prometheus HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      expect(await socket.until('\r\n')).toContain(`HTTP/1.1 ${status} `)
    },
  )

  it('answers while nobody can say whether a token was revoked: health to nobody in particular, metrics to a signature', async () => {
    const verifier: TokenVerifier = {
      verify: async (token, { believesSignature = false } = {}) => {
        const caller = await textVerifier.verify(token)
        if (!believesSignature) throw unavailable('The database does not answer.')
        return caller
      },
    }
    await using server = await testServer([], { actuator: { checks: down }, verifier })
    const ask = (path: string, token: string) =>
      fetch(`${server.url}/actuator/${path}`, { headers: { 'x-forwarded-for': '203.0.113.9', ...bearer(token) } })
    const health = await ask('health', 'ADMIN~')
    expect([health.status, await health.json()]).toEqual([503, { status: 'DOWN' }])
    expect((await ask('health', 'no token')).status).toBe(503)
    expect((await ask('prometheus', 'ADMIN~')).status).toBe(200)
    expect((await ask('prometheus', 'PATIENT~')).status).toBe(403)
    expect((await ask('prometheus', 'no token')).status).toBe(401)
  })

  it('prometheus counts by the pattern of the route, never by the address', async () => {
    const read = route({
      method: 'GET',
      path: '/patients/:id',
      who: roles('ADMIN'),
      summary: 'Reads',
      input: { params: { id: text() } },
      output: { 204: nothing },
      run: () => undefined,
    })
    await using server = await testServer([read])
    await fetch(`${server.url}/patients/amina-diallo?name=Amina`, { headers: bearer('ADMIN~') })
    await fetch(`${server.url}/patients/amina-diallo`)
    await fetch(`${server.url}/elsewhere/amina-diallo`)
    const answer = await fetch(`${server.url}/actuator/prometheus`)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0.0.4/)
    const metrics = await answer.text()
    expect(metrics).toContain('{service="tested",method="GET",route="/patients/:id",status="204"} 1')
    expect(metrics).toContain('route="/patients/:id",status="401"} 1')
    expect(metrics).toContain('route="unmatched",status="404"} 1')
    expect(metrics + server.logLines.join('')).not.toMatch(/amina/i)
    const finished = server.logLines.map((line) => JSON.parse(line) as object).find((line) => 'clientId' in line)
    expect(finished).toEqual({
      level: 'info',
      time: expect.any(String),
      service: 'tested',
      event: 'request finished',
      method: 'GET',
      route: '/patients/:id',
      status: 204,
      durationMs: expect.any(Number),
      requestId: expect.any(String),
      clientId: 'demo-app',
    })
  })
})

describe('a health check', () => {
  it('that hangs counts as down after its deadline', async () => {
    const clock = new SimulatedClock()
    const monitor = new HealthMonitor({ checks: { store: () => new Promise(() => {}) }, clock })
    const health = monitor.current()
    await clock.advance(2_000)
    expect(await health).toEqual({ status: 'DOWN', components: { store: { status: 'DOWN' } } })
  })

  it('of a part of the service is not waited for by readiness', async () => {
    const clock = new SimulatedClock()
    const parts = { disk: () => new Promise<never>(() => {}) }
    const monitor = new HealthMonitor({ checks: { store: async () => {} }, parts, clock })
    expect(await monitor.isReady()).toBe(true)
    const health = monitor.current()
    await clock.advance(2_000)
    expect(await health).toEqual({ status: 'DOWN', components: { store: { status: 'UP' }, disk: { status: 'DOWN' } } })
  })

  it('of what is needed tells the log when it fails, once and with the reason, and when it is good again', async () => {
    const clock = new SimulatedClock()
    const captured = capturedLog(clock)
    let wrong: string | undefined
    const checks = {
      database: async () => {
        if (wrong !== undefined) throw new Error(wrong)
      },
    }
    const parts = { disk: () => Promise.reject(new Error('its own to log')) }
    const monitor = new HealthMonitor({ checks, parts, clock, log: captured.log })
    for (const now of [undefined, 'the server is read-only', 'the server is read-only', undefined, undefined]) {
      wrong = now
      await monitor.current()
      await clock.advance(2_000)
    }
    expect(captured.events()).toMatchObject([
      { level: 'error', event: 'not ready', dependency: 'database', error: 'the server is read-only' },
      { level: 'info', event: 'ready again', dependency: 'database' },
    ])
  })

  it('is told to whoever asks for metrics, service by service', async () => {
    const metrics = new Metrics()
    const wells = new Set(['store', 'disk', 'other'])
    const check = (name: string) => async () => {
      if (!wells.has(name)) throw new Error('gone')
    }
    const clock = new SimulatedClock()
    const disk = async () => ({ status: wells.has('disk') ? 'UP' : 'DOWN' }) as const
    const monitor = new HealthMonitor({ checks: { store: check('store') }, parts: { disk }, clock })
    measureHealth('bridge', monitor, metrics)
    measureHealth('auth', new HealthMonitor({ checks: { store: check('other') }, clock }), metrics)
    const told = async () => (await metrics.text()).match(/^corridor_health_up.*$/gm)?.toSorted()
    const lines = (store: number, own: number) => [
      ...[
        'service="auth",part="store"} 1',
        `service="bridge",part="disk"} ${own}`,
        `service="bridge",part="store"} ${store}`,
      ],
    ]
    const of = (all: readonly string[]) => all.map((line) => `corridor_health_up{${line}`)
    expect(await told()).toEqual(of(lines(1, 1)))
    wells.delete('store')
    await clock.advance(2_000)
    expect(await told()).toEqual(of(lines(0, 1)))
    wells.delete('disk')
    wells.add('store')
    await clock.advance(2_000)
    expect(await told()).toEqual(of(lines(1, 0)))
  })

  it('runs once for all who ask within two seconds', async () => {
    const clock = new SimulatedClock()
    let runs = 0
    const monitor = new HealthMonitor({ checks: { store: async () => void (runs += 1) }, clock })
    await Promise.all([monitor.current(), monitor.current()])
    await clock.advance(1_999)
    await monitor.current()
    expect(runs).toBe(1)
    await clock.advance(1)
    await monitor.current()
    expect(runs).toBe(2)
  })
})
