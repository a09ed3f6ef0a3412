import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppVisitor } from '../testing/app-visitor.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { testCorridor } from '../../../packages/testkit/test-corridor.ts'

let app: TestApp

/** Long enough for a token to end before its session does. */
const longIdle = { 'immunization.sessionIdleSeconds': '86400' }

beforeAll(async () => {
  app = await startTestApp(longIdle)
}, 60_000)
afterAll(() => app?.[Symbol.asyncDispose]())
beforeEach(() => {
  const { behaviour, seen } = app.server
  Object.assign(behaviour, { expiresInSeconds: 3_600, refresh: 'grant', hasRefreshToken: true, patient: 'p1' })
  behaviour.refused.clear()
  behaviour.fhirStatus.clear()
  seen.refreshes = 0
})

interface SessionAnswer {
  readonly secondsRemaining: number
}

const secondsLeft = async (visitor: AppVisitor) => (await visitor.json<SessionAnswer>('/api/session')).secondsRemaining

describe('the access token is refreshed before a handler', () => {
  it.each([
    [121, 0, 121],
    [120, 0, 120],
    [119, 1, 3_600],
    [1, 1, 3_600],
    [0, 1, 3_600],
  ])('with %i seconds left: %i refreshes, %i seconds then', async (left, refreshes, then) => {
    const visitor = await app.launched()
    app.clock.forward(3_600 - left)
    expect(await secondsLeft(visitor)).toBe(then)
    expect(app.server.seen.refreshes).toBe(refreshes)
  })

  it('once, however many requests come in its last 119 seconds', async () => {
    const visitor = await app.launched()
    app.clock.forward(3_600 - 119)
    const answers = await Promise.all(Array.from({ length: 50 }, () => secondsLeft(visitor)))
    expect(app.server.seen.refreshes).toBe(1)
    expect(new Set(answers)).toEqual(new Set([3_600]))
  })

  it('once across two copies of the app', async () => {
    const visitor = await app.launched()
    await using other = await testCorridor({
      services: ['immunization'],
      clock: app.clock,
      settings: {
        'database.url': app.corridor.databaseUrl,
        ...longIdle,
        'immunization.issuers': app.server.base,
        'immunization.authorizationServers': app.server.url,
      },
    })
    const elsewhere = new AppVisitor(other)
    for (const [name, value] of visitor.cookies) elsewhere.cookies.set(name, value)
    app.clock.forward(3_600 + 10)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => secondsLeft(at % 2 === 0 ? visitor : elsewhere)),
    )
    expect(app.server.seen.refreshes).toBe(1)
    expect(new Set(answers)).toEqual(new Set([3_600]))
  })

  it('and the session ends when the refresh token is no longer good', async () => {
    const visitor = await app.launched()
    app.server.behaviour.refresh = 'invalid_grant'
    app.clock.forward(3_600 - 60)
    const answer = await visitor.get('/api/session', { accept: 'application/json' })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ code: 'no_session' })
    const page = await visitor.get('/dashboard')
    expect(page.headers.get('location')).toBe('/launch?error=session_expired')
  })

  it.each(['hang up', 'server_error'] as const)(
    'and goes on with a token that still works when the authorization server answers %s, asked once in five seconds',
    async (refresh) => {
      const visitor = await app.launched()
      app.server.behaviour.refresh = refresh
      app.clock.forward(3_600 - 60)
      expect(await secondsLeft(visitor)).toBe(60)
      expect(await secondsLeft(visitor)).toBe(60)
      expect(app.server.seen.refreshes).toBe(1)
      app.clock.forward(6)
      app.server.behaviour.refresh = 'grant'
      expect(await secondsLeft(visitor)).toBe(3_600)
    },
  )

  it('and goes on when the authorization server has said nothing for as long as the configuration lets it', async () => {
    await using hasty = await startTestApp({ ...longIdle, 'outbound.deadlineMs': '1234' })
    const visitor = await hasty.launched()
    hasty.server.behaviour.refresh = 'say nothing'
    const deadlines = vi.spyOn(hasty.clock, 'deadline')
    hasty.clock.forward(3_600 - 60)
    expect(await secondsLeft(visitor)).toBe(60)
    expect(deadlines.mock.calls.map(([ms]) => ms)).toContain(1_234)
    expect(hasty.corridor.log.events('call failed')).toMatchObject([
      { dependency: 'authorization server', faultCode: 'GATEWAY_TIMEOUT' },
    ])
  })

  it('is an error, and not the end, when the token has ended and the authorization server is away', async () => {
    const visitor = await app.launched()
    app.server.behaviour.refresh = 'hang up'
    app.clock.forward(3_601)
    const answer = await visitor.get('/api/session', { accept: 'application/json' })
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ code: 'authorization_unavailable' })
    app.clock.forward(6)
    app.server.behaviour.refresh = 'grant'
    expect(await secondsLeft(visitor)).toBe(3_600)
  })

  it('not at all without a refresh token: the session ends with the access token', async () => {
    app.server.behaviour.hasRefreshToken = false
    const visitor = await app.launched()
    app.clock.forward(3_590)
    expect(await secondsLeft(visitor)).toBe(10)
    app.clock.forward(11)
    expect((await visitor.get('/api/session')).status).toBe(401)
  })
})

describe('a token that the FHIR server refuses', () => {
  it('is refreshed once, and the call repeated', async () => {
    const visitor = await app.launched()
    app.server.behaviour.refused.add(app.server.seen.latestToken)
    const answer = await visitor.get('/api/summary', { accept: 'application/json' })
    expect(answer.status).toBe(200)
    expect(app.server.seen.refreshes).toBe(1)
  })

  it('ends the session when the new one is refused too', async () => {
    const visitor = await app.launched()
    app.server.behaviour.fhirStatus.set('Patient', 401)
    const answer = await visitor.get('/api/summary', { accept: 'application/json' })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ code: 'no_session' })
    app.server.behaviour.fhirStatus.clear()
    expect((await visitor.get('/api/session')).status).toBe(401)
  })
})
