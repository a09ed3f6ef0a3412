import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerOf, SmartApp } from '../testing/smart-app.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'
import type { TestBrowser } from '../testing/test-browser.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await startTestAuth()
})
afterAll(() => auth?.[Symbol.asyncDispose]())

const asking = { picker: { scope: 'launch/patient openid patient/*.rs' }, consent: { prompt: 'consent' } }
type Page = keyof typeof asking
const pathOf = { picker: '/oauth2/authorize/patient', consent: '/oauth2/authorize/consent' }
const answers = { picker: { patientId: 'amina-diallo' }, consent: { decision: 'allow', scope: 'offline_access' } }
const pages: Page[] = ['picker', 'consent']

/** A tab whose user has signed in for an app and is at the page where they choose. */
async function choosing(which: Page, browser: TestBrowser) {
  const request = answerOf(await new SmartApp(auth).authorize(browser, asking[which])).get('request') ?? ''
  const text = await (await browser.get(`${pathOf[which]}?request=${request}`)).text()
  const form = /<form[^>]* action="(\/oauth2[^"]+)"[^>]*><input type="hidden" name="_csrf" value="([^"]+)"/.exec(text)
  const [, action = '', csrf = ''] = form ?? []
  return { request, send: () => browser.post(action, { request, ...answers[which], _csrf: csrf }) }
}

/** Another app of another tab asks for a login, and its user signs in. */
async function signInElsewhere(browser: TestBrowser, username = 'clinician') {
  const toLogin = await new SmartApp(auth).authorize(browser, { prompt: 'login' })
  return browser.signIn(username, 'demo', { request: answerOf(toLogin).get('request') ?? '' })
}

describe.each(pages)('the %s in one tab', (which) => {
  it('goes on after the same user signed in again in another tab', async () => {
    const browser = auth.browser()
    await browser.signIn()
    const tab = await choosing(which, browser)
    await signInElsewhere(browser)
    // A form of the login before decides nothing; the page comes again, with a form of this one.
    const again = await tab.send()
    const page = `${pathOf[which]}?request=${tab.request}`
    expect([again.status, again.headers.get('location')]).toEqual([303, page])
    const shown = await browser.get(page)
    expect(shown.status).toBe(200)
    const csrf = /name="_csrf" value="([^"]+)"/.exec(await shown.text())?.[1] ?? ''
    const sent = await browser.post(pathOf[which], { request: tab.request, ...answers[which], _csrf: csrf })
    expect(answerOf(await browser.follow(sent)).get('code')).not.toBeNull()
  })

  it('is nothing of another user who signed in in another tab, and says so', async () => {
    const browser = auth.browser()
    await browser.signIn()
    const tab = await choosing(which, browser)
    await signInElsewhere(browser, 'clinician2')
    const ended = await browser.follow(await tab.send())
    expect([ended.status, await ended.text()]).toEqual([400, expect.stringContaining('belongs to another login')])
  })

  it.each(['opened', 'sent'])('leads through the login and back when it is %s after signing out', async (how) => {
    const browser = auth.browser()
    await browser.signIn()
    const tab = await choosing(which, browser)
    await browser.post('/logout', {})
    const toLogin = await (how === 'sent' ? tab.send() : browser.get(`${pathOf[which]}?request=${tab.request}`))
    expect([toLogin.status, toLogin.headers.get('location')]).toEqual([302, `/login?request=${tab.request}`])
    const signedIn = await browser.signIn('clinician', 'demo', { request: tab.request })
    const resumed = await browser.get(signedIn.headers.get('location') ?? '')
    expect(resumed.headers.get('location')).toBe(`${pathOf[which]}?request=${tab.request}`)
  })
})

it.each(['clinician', 'clinician2'])(
  'signing out in a tab of the login before ends the one of %s that is there now',
  async (username) => {
    const browser = auth.browser()
    await browser.signIn()
    const tab = await (await browser.get('/portal')).text()
    const form = /action="\/logout"[^>]*>.*?name="_csrf" value="([^"]+)"/s.exec(tab)
    await signInElsewhere(browser, username)
    const out = await browser.post('/logout', { _csrf: form?.[1] ?? '' })
    expect([out.status, out.headers.get('location')]).toEqual([303, '/login?logout'])
    expect((await browser.get('/portal')).headers.get('location')).toBe('/login')
  },
)

it('a clinician who sees on the page of consent that it is the wrong patient goes back and picks another', async () => {
  const browser = auth.browser()
  await browser.signIn()
  const app = new SmartApp(auth)
  const asked = await app.authorize(browser, { ...asking.picker, prompt: 'consent' })
  const request = answerOf(asked).get('request') ?? ''
  const pick = async (patientId: string) =>
    (await browser.follow(await browser.post(pathOf.picker, { request, patientId }))).text()
  expect(await pick('kofi-mensah')).toContain('Kofi Mensah')
  expect((await browser.get(`${pathOf.picker}?request=${request}`)).status).toBe(200)
  expect(await pick('amina-diallo')).toContain('Amina Diallo')
  const allowed = await browser.post(pathOf.consent, { request, decision: 'allow', scope: 'patient/*.rs' })
  const code = answerOf(await browser.follow(allowed)).get('code') ?? ''
  expect(await (await app.exchange(code)).json()).toMatchObject({ patient: 'amina-diallo' })
})

it('what a clinician agrees to on a page about one patient gives nothing of another who was picked in another tab', async () => {
  const browser = auth.browser()
  await browser.signIn()
  const app = new SmartApp(auth)
  const asked = await app.authorize(browser, { ...asking.picker, prompt: 'consent' })
  const request = answerOf(asked).get('request') ?? ''
  const shownFor = async (patientId: string) => {
    const picked = await browser.follow(await browser.post(pathOf.picker, { request, patientId }))
    const hidden = (await picked.text()).matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
    return Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, value]))
  }
  const allow = (form: Readonly<Record<string, string>>) =>
    browser.post(pathOf.consent, { ...form, decision: 'allow', scope: 'patient/*.rs' })
  const kofi = await shownFor('kofi-mensah')
  const amina = await shownFor('amina-diallo')
  const again = await browser.follow(await allow(kofi))
  expect([again.status, await again.text()]).toEqual([200, expect.stringContaining('Amina Diallo')])
  const code = answerOf(await browser.follow(await allow(amina))).get('code') ?? ''
  expect(await (await app.exchange(code)).json()).toMatchObject({ patient: 'amina-diallo' })
})

it.each(['', '?request=', '?request=a%20b', '?request=..%2F', '?search=x'])(
  'a page for choosing that names no request (%s) leads to the login alone',
  async (query) => {
    const answer = await auth.browser().get(`/oauth2/authorize/patient${query}`)
    expect(answer.headers.get('location')).toBe('/login')
  },
)
