import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { latinIn } from '../../../packages/views/words/testing/latin-in.ts'
import { MovedClock } from '../../../packages/testkit/moved-clock.ts'
import { SmartApp, type Tokens } from '../testing/smart-app.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'
import type { TestBrowser } from '../testing/test-browser.ts'

let auth: TestAuth
const clock = new MovedClock(new Date('2026-03-04T10:00:00Z'))
beforeAll(async () => {
  auth = await startTestAuth({ clock })
})
afterAll(() => auth?.[Symbol.asyncDispose]())

async function signedIn(username = 'clinician'): Promise<TestBrowser> {
  const browser = auth.browser()
  await browser.signIn(username)
  return browser
}

const grantOf = ({ access_token: token }: Tokens): string => String(decodeJwt(token)['gid'])

async function shownTo(browser: TestBrowser, path = '/account/apps'): Promise<string[]> {
  const text = await (await browser.get(path)).text()
  return [...text.matchAll(/id="take-([0-9a-f-]{36})"/g)].map(([, grant = '']) => grant)
}

describe('the apps that a user has let in', () => {
  it('are those that can still have tokens, and no memory of others', async () => {
    const app = new SmartApp(auth)
    const browser = await signedIn()
    const kept = await app.tokens({}, browser)
    const left = await app.tokens({}, browser)
    expect(new Set(await shownTo(browser))).toEqual(new Set([grantOf(left), grantOf(kept)]))
    clock.forward(13 * 86_400)
    expect((await app.refresh(kept.refresh_token)).status).toBe(200)
    expect(await shownTo(await signedIn())).toEqual([grantOf(kept), grantOf(left)])
    clock.forward(2 * 86_400)
    expect(await shownTo(await signedIn())).toEqual([grantOf(kept)])
  })

  it('are those whose last token may be alive, whatever became of its refresh token', async () => {
    const app = new SmartApp(auth)
    const browser = await signedIn('clinician2')
    const grant = grantOf(await app.tokens({}, browser))
    await auth.database.run(sql`delete from auth.refresh_tokens where grant_id = ${grant}::uuid`)
    expect(await shownTo(browser)).toEqual([grant])
    clock.forward(3_601)
    expect(await shownTo(await signedIn('clinician2'))).toEqual([])
  })

  it('are those whose last token outlives the login that they were let in by', async () => {
    const app = new SmartApp(auth)
    const { refresh_token: first } = await app.tokens({ scope: 'openid fhirUser' }, await signedIn('patient'))
    clock.forward(8 * 3_600 - 60)
    const last = (await (await app.refresh(first)).json()) as Tokens
    clock.forward(120)
    const browser = await signedIn('patient')
    expect([await app.isActive(last.access_token), await shownTo(browser)]).toEqual([true, [grantOf(last)]])
    await browser.post('/account/apps/revoke', { grant: grantOf(last) })
    expect([await app.isActive(last.access_token), await shownTo(browser)]).toEqual([false, []])
  })

  it('are all there, page by page, so that each of them can be taken away', async () => {
    const app = new SmartApp(auth)
    const browser = await signedIn('admin')
    const grant = grantOf(await app.tokens({}, browser))
    await auth.database.run(sql`
      with more as (
        insert into auth.grants (id, client_id, user_id, session_hash, is_offline, scope, signed_in_at, created_at,
          last_used_at, expires_at)
        select gen_random_uuid(), client_id, user_id, session_hash, is_offline, scope, signed_in_at, created_at,
          last_used_at - number * interval '1 hour', expires_at
        from auth.grants cross join generate_series(1, 230) as number where id = ${grant}::uuid
        returning id, expires_at, created_at
      )
      insert into auth.refresh_tokens (token_hash, grant_id, issued_at, expires_at)
      select id::text, id, created_at, expires_at from more`)
    const all: string[] = []
    for (let page = 0; page < 12; page++) all.push(...(await shownTo(browser, `/account/apps?page=${page}`)))
    expect([all[0], all.length, new Set(all).size]).toEqual([grant, 231, 231])
    const [oldest = ''] = all.slice(-1)
    await browser.post('/account/apps/revoke', { grant: oldest })
    expect(await shownTo(browser, '/account/apps?page=11')).not.toContain(oldest)
    const beyond = await browser.get('/account/apps?page=40')
    expect([beyond.status, beyond.headers.get('location')]).toEqual([302, '/account/apps?page=11'])
    expect(await (await browser.get('/account/apps')).text()).toContain('rel="next" href="/account/apps?page=1"')
  })
})

describe('the pages of the authorization server', () => {
  const scope = 'openid fhirUser profile offline_access launch/patient patient/Observation.rs user/*.cruds'

  it('are in the language that somebody chose, from the first to the last, and leave nothing in English', async () => {
    const browser = auth.browser()
    const app = new SmartApp(auth)
    const shown = async (path: string) => (await browser.get(path)).text()
    // Chosen once, at the page where one signs in.
    const pages = [await shown('/login?lang=ar'), await shown('/login?error'), await shown('/login?logout')]
    await app.tokens({ scope }, await signedInWith(browser, 'patient'))
    const asked = await browser.follow(await app.authorize(browser, { scope, prompt: 'consent' }))
    pages.push(await asked.text(), await shown('/account/apps'), await shown('/logout'), await shown('/portal'))
    pages.push(await shown('/oauth2/authorize/consent?request=nobodys'))
    for (const page of pages) expect(page).toMatch(/^<!doctype html><html lang="ar" dir="rtl">/)
    // The names of the app and of the reader are theirs.
    const names = new Set(['Demo', 'app'])
    expect(pages.flatMap(latinIn).filter((word) => !names.has(word))).toEqual([])
    expect(pages[3]).toContain('قراءة القياسات والنتائج الخاصة بهذا المريض')
  })

  it('are in the language that the app knows of its user, where they have chosen none', async () => {
    const app = new SmartApp(auth)
    const wish = { scope, prompt: 'consent', ui_locales: 'tlh pt-BR sw-KE fr' }
    const browser = auth.browser()
    const login = await browser.follow(await app.authorize(browser, wish))
    const request = new URL(login.url).searchParams.get('request') ?? ''
    const spoken = async (path: string, headers = {}) =>
      /<html lang="([a-z]+)"/.exec(await (await browser.get(path, headers)).text())?.[1]
    expect(await spoken(`/login?request=${request}`, { 'accept-language': 'ar' })).toBe('sw')
    const failed = await browser.post('/login', { username: 'patient', password: 'wrong', request })
    expect(await spoken(failed.headers.get('location') ?? '')).toBe('sw')
    await browser.signIn('patient', 'demo', { request })
    expect(await spoken(`/oauth2/authorize/consent?request=${request}`, { 'accept-language': 'ar' })).toBe('sw')
    // What they choose themselves counts more, and is remembered.
    expect(await spoken(`/oauth2/authorize/consent?request=${request}&lang=es`)).toBe('es')
    expect(await spoken(`/oauth2/authorize/consent?request=${request}`)).toBe('es')
    browser.cookies.delete('corridor_language')
    expect(await spoken(`/oauth2/authorize?${app.parameters({ ...wish, client_id: 'nobody' })}`)).toBe('sw')
    const wrong = `/oauth2/authorize?${app.parameters({ client_id: 'nobody', ui_locales: 'tlh' })}`
    expect(await spoken(wrong)).toBe('en')
    // Also on a page about an error.
    expect([await spoken(`${wrong}&lang=fr`), await spoken('/login')]).toEqual(['fr', 'fr'])
  })

  it('say what is wrong with a form in that language, and of what an app has put wrongly that it was the app', async () => {
    const browser = auth.browser()
    const arabic = { 'accept-language': 'ar' }
    const refused = await browser.post('/login', { username: 'x'.repeat(300) }, arabic)
    const page = await refused.text()
    expect(page).toMatch(/<code dir="ltr">username<\/code> <span>الحد الأقصى لعدد الأحرف: 256<\/span>/)
    expect(page).toMatch(/<code dir="ltr">password<\/code> <span>مطلوب<\/span>/)
    const app = new SmartApp(auth)
    const twice = await browser.get(`/oauth2/authorize?${app.parameters()}&state=two`, arabic)
    const told = await twice.text()
    expect(told).toContain('<h1>طلب التطبيق ما لا تمكن')
    expect(told).toMatch(/<span>غير صالح <bdi lang="en">\(is given more than once\)<\/bdi>/)
    for (const each of [page, told]) expect(latinIn(each)).toEqual([])
  })

  it('are in English for staff once they are known', async () => {
    const browser = auth.browser()
    expect(await (await browser.get('/login?lang=fr')).text()).toContain('<h1>Se connecter</h1>')
    await browser.signIn('clinician')
    for (const path of ['/account/apps', '/logout', '/portal']) {
      expect(await (await browser.get(path)).text()).toContain('<html lang="en" dir="ltr">')
    }
  })
})

async function signedInWith(browser: TestBrowser, username: string): Promise<TestBrowser> {
  await browser.signIn(username)
  return browser
}
