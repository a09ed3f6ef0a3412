import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerOf, SmartApp } from '../testing/smart-app.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'
import type { TestBrowser } from '../testing/test-browser.ts'

let auth: TestAuth
let browser: TestBrowser
beforeAll(async () => {
  auth = await startTestAuth({
    clients: [
      {
        clientId: 'native-app',
        redirectUris: ['http://127.0.0.1/cb', 'com.example.app:/cb', 'https://app.example/cb?keep=1'],
        scope: 'openid',
      },
    ],
  })
  browser = auth.browser()
  await browser.signIn()
})
afterAll(() => auth?.[Symbol.asyncDispose]())

describe('redirect addresses', () => {
  it.each([
    'http://localhost:3000/callback/extra',
    'http://localhost:3000/callback?x=1',
    'http://localhost:3000/Callback',
    'http://LOCALHOST:3000/callback',
    'http://localhost:3001/callback',
    'http://localhost/callback',
    'http://localhost.:3000/callback',
    'http://user@localhost:3000/callback',
    'http://localhost:3000/x/../callback',
    'http://localhost:3000/%63allback',
    'http://localhost:3000/%2563allback',
    'http://localhost:3000/callback%2f',
    'http://localhost:3000/callback#fragment',
    'http://localhost:3000.evil.example/callback',
    'https://localhost:3000/callback',
    'javascript:alert(1)',
    '//localhost:3000/callback',
    '/callback',
  ])('A5: %s is shown as wrong and never gone to', async (uri) => {
    const response = await new SmartApp(auth).authorize(browser, { redirect_uri: uri })
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
  })

  it('A5, A22: two of them are refused, and the parameter is named', async () => {
    const query = `${new SmartApp(auth).parameters()}&redirect_uri=https%3A%2F%2Fevil.example`
    const response = await fetch(`${auth.url}/oauth2/authorize?${query}`, { redirect: 'manual' })
    const body = (await response.json()) as { error: string; error_description: string }
    expect([response.status, body.error]).toEqual([400, 'invalid_request'])
    expect(body.error_description).toContain('redirect_uri is given more than once')
  })

  it('A5: bad requests of a good client do not lead to a bad address either', async () => {
    const response = await new SmartApp(auth).authorize(browser, {
      redirect_uri: 'https://evil.example',
      response_type: 'token',
    })
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
  })

  it.each([
    ['http://127.0.0.1:49152/cb', 302],
    ['http://127.0.0.1/cb', 302],
    ['com.example.app:/cb', 302],
    ['http://127.0.0.1:49152/cb/x', 400],
    ['http://127.0.0.1:x/cb', 400],
    ['http://127.0.0.1:1@evil.example/cb', 400],
    ['http://localhost:49152/cb', 400],
  ])('RFC 8252: an app on the machine may use any port where it registered none: %s is %i', async (uri, status) => {
    const response = await new SmartApp(auth, 'native-app').authorize(browser, { redirect_uri: uri, scope: 'openid' })
    expect(response.status).toBe(status)
  })

  it('keep their own query', async () => {
    const uri = 'https://app.example/cb?keep=1'
    const app = new SmartApp(auth, 'native-app')
    const response = await app.authorize(browser, { redirect_uri: uri, scope: 'openid' })
    expect(answerOf(response).get('keep')).toBe('1')
    expect(answerOf(response).get('code')).not.toBeNull()
  })

  it('A5: the login never leads to an address from outside', async () => {
    for (const more of [{ request: 'https://evil.example' }, { continue: 'https://evil.example', request: '//evil' }]) {
      const user = auth.browser()
      const response = await user.signIn('clinician', 'demo', more)
      expect(response.headers.get('location')).toMatch(/^\/oauth2\/authorize\/resume\?request=/)
      expect((await user.follow(response)).status).toBe(400)
    }
  })

  it('a request that waits belongs to the login that took it up', async () => {
    const app = new SmartApp(auth)
    const toPicker = await app.authorize(browser, { scope: 'launch/patient openid' })
    const address = toPicker.headers.get('location') ?? ''
    expect((await browser.get(address)).status).toBe(200)
    const other = auth.browser()
    await other.signIn('clinician2')
    expect((await other.get(address)).status).toBe(400)
  })
})
