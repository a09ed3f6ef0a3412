import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { answerOf, SmartApp } from '../testing/smart-app.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'
import { waitFor } from './waiting.ts'

const clock = new SimulatedClock('2026-11-16T08:00:00Z')
let auth: TestAuth
beforeAll(async () => {
  auth = await startTestAuth({ clock, section: { waitingRequestsPerAddressMax: 3, waitingRequestsMax: 5 } })
})
afterAll(() => auth?.[Symbol.asyncDispose]())

describe('requests that wait for their users', () => {
  it('are bounded by their address, in either way they are sent, and there is room again once one is answered', async () => {
    const app = new SmartApp(auth)
    const begun = [await begin(app, 'GET'), await begin(app, 'POST'), await begin(app, 'GET')]
    expect(begun.map(({ status }) => status)).toEqual([302, 303, 302])
    for (const method of ['GET', 'POST'] as const) {
      const refused = await begin(app, method)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
      expect(await refused.text()).toContain('Too many unfinished logins were begun here')
    }
    const browser = auth.browser()
    await browser.signIn()
    const request = new URL(begun[0]?.headers.get('location') ?? '', auth.url).searchParams.get('request') ?? ''
    const answered = await browser.get(`/oauth2/authorize/resume?request=${request}`)
    expect(answerOf(answered).get('code')).not.toBeNull()
    expect((await begin(app, 'GET')).status).toBe(302)
    expect((await begin(app, 'GET')).status).toBe(429)
  })

  it('are bounded by the network where the address is one of IPv6', async () => {
    await clock.advance(901_000)
    for (let number = 0; number < 3; number++) await waitFor({}, `2001:db8::${number}`, auth.deps)
    await expect(waitFor({}, '2001:db8::ffff:1', auth.deps)).rejects.toMatchObject({ kind: 'too-much' })
    expect(await waitFor({}, '2001:db8:0:1::1', auth.deps)).toMatch(/./)
  })

  it('are bounded in all, and those whose time is over are no longer counted', async () => {
    await clock.advance(901_000)
    for (let number = 0; number < 5; number++) await waitFor({}, `203.0.113.${number}`, auth.deps)
    await expect(waitFor({}, '203.0.113.5', auth.deps)).rejects.toMatchObject({ kind: 'too-much' })
    await clock.advance(901_000)
    expect(await waitFor({}, '203.0.113.5', auth.deps)).toMatch(/./)
  })
})

function begin(app: SmartApp, method: 'GET' | 'POST'): Promise<Response> {
  const parameters = app.parameters()
  return method === 'GET'
    ? fetch(`${auth.url}/oauth2/authorize?${parameters}`, { redirect: 'manual' })
    : fetch(`${auth.url}/oauth2/authorize`, { method: 'POST', body: parameters, redirect: 'manual' })
}
