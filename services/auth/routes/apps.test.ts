import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { latinIn } from '../../../packages/views/words/testing/latin-in.ts'
import { MovedClock } from '../../../packages/testkit/moved-clock.ts'
import { launchToken, redirectUri, SmartApp, type Tokens } from '../testing/smart-app.ts'
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

/** The sign-ins of the demo app, on the page where it is alone with them. */
async function shownTo(browser: TestBrowser, part = 0): Promise<string[]> {
  return shownAt(browser, `/account/apps?app=demo-app&page=${part}`)
}

async function shownAt(browser: TestBrowser, path = '/account/apps'): Promise<string[]> {
  const text = await (await browser.get(path)).text()
  return [...text.matchAll(/id="take-([0-9a-f-]{36})"/g)].map(([, grant = '']) => grant)
}

/** What a card says, without its marks: of each app there is one. */
function cardOf(html: string, app: string): string {
  const [, card = ''] = html.split(`<h2><bdi>${app}</bdi></h2>`)
  return card.split('<section class="card">')[0] ?? ''
}

const cardsIn = (html: string): string[] =>
  [...html.matchAll(/<h2><bdi>([^<]*)<\/bdi><\/h2>/g)].map(([, app = '']) => app)

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
    for (let part = 0; part < 12; part++) all.push(...(await shownTo(browser, part)))
    expect([all[0], all.length, new Set(all).size]).toEqual([grant, 231, 231])
    const [oldest = ''] = all.slice(-1)
    await browser.post('/account/apps/revoke', { grant: oldest })
    expect(await shownTo(browser, 11)).not.toContain(oldest)
    const beyond = await browser.get('/account/apps?app=demo-app&page=40')
    expect([beyond.status, beyond.headers.get('location')]).toEqual([302, '/account/apps?app=demo-app&page=11'])
    const first = await (await browser.get('/account/apps?app=demo-app')).text()
    expect(first).toContain('rel="next" href="/account/apps?app=demo-app&amp;page=1"')
    // Among all apps it is one of them, with the sign-ins used last.
    expect(await shownAt(browser)).toEqual(all.slice(0, 10))
    const overview = await (await browser.get('/account/apps')).text()
    expect(cardsIn(overview)).toEqual(['Demo app'])
    expect(overview).toContain('<dt>Sign-ins</dt><dd>230</dd>')
    expect(overview).toContain('<a href="/account/apps?app=demo-app">All sign-ins</a>')
    expect(overview).not.toContain('rel="next"')
  })
})

describe('an app that somebody signed in to more than once', () => {
  const others = { clientId: 'other-app', redirectUris: [redirectUri] }
  const category = 'http://terminology.hl7.org/CodeSystem/observation-category'
  const patientScope = (access: string) => `launch openid offline_access ${access}`
  const isShut = async (app: SmartApp, tokens: Tokens) => [
    await app.isActive(tokens.access_token),
    (await app.refresh(tokens.refresh_token)).status,
  ]

  it('is one card, with all that it may, since when, when last, and how often', async () => {
    await using server = await startTestAuth({ clock, clients: [others] })
    const browser = server.browser()
    await browser.signIn()
    const app = new SmartApp(server)
    const launched = async (access: string, wish = {}) =>
      app.tokens({ launch: await launchToken(browser, wish), scope: patientScope(access) }, browser)
    const since = clock.now().toISOString().slice(0, 16)
    await launched(`patient/Observation.rs?category=${category}|laboratory`)
    clock.forward(60)
    await launched('patient/Observation.read patient/Condition.rs', { patientId: 'kofi-mensah' })
    clock.forward(60)
    const last = clock.now().toISOString().slice(0, 16)
    await launched('patient/Observation.rs')
    await new SmartApp(server, 'other-app').tokens({ scope: 'openid' }, browser)

    const page = await (await browser.get('/account/apps')).text()
    expect(new Set(cardsIn(page))).toEqual(new Set(['Demo app', 'other-app']))
    const [about = '', each = ''] = cardOf(page, 'Demo app').split('<details>')
    expect([...about.matchAll(/<li>([^<]*)/g)].map(([, said]) => said).toSorted()).toEqual([
      'Go on when you are signed out',
      'Know that it is you',
      'Know which patient is open',
      'Read diagnoses and problems of this patient',
      'Read measurements and results of this patient',
    ])
    expect(about).toContain('<dt>Patient</dt><dd>2 patients</dd>')
    expect(about).toMatch(new RegExp(`<dt>Since</dt><dd><time[^>]* datetime="${since}`))
    expect(about).toMatch(new RegExp(`<dt>Last used</dt><dd><time[^>]* datetime="${last}`))
    expect(about).toContain('<dt>Sign-ins</dt><dd>3</dd>')
    // What each of them gave: it was not the same.
    expect(each).toContain('<li>Read measurements and results of this patient, only laboratory results</li>')
    expect(each.match(/<bdi class="name">/g)).toHaveLength(3)
    // One alone needs no list of its own.
    expect(cardOf(page, 'other-app')).not.toContain('<details>')
  })

  it('loses everything at once: all grants, their tokens, and codes that it holds, and nothing of others', async () => {
    await using server = await startTestAuth({ clock, clients: [others], section: { auditToFhir: true } })
    const [browser, colleague] = [server.browser(), server.browser()]
    await Promise.all([browser.signIn(), colleague.signIn('clinician2')])
    const [app, other] = [new SmartApp(server), new SmartApp(server, 'other-app')]
    const mine = [await app.tokens({}, browser), await app.tokens({ scope: 'openid' }, browser)]
    const held = await app.code({}, browser)
    const kept = [await app.tokens({}, colleague), await other.tokens({}, browser)] as const
    const early = await browser.get('/account/apps?takenApp=demo-app')
    expect(await early.text(), 'an address says nothing').not.toContain('no access any more')

    const taken = await browser.post('/account/apps/revoke-app', { app: 'demo-app' })
    expect(taken.status).toBe(303)
    const page = await (await browser.get(taken.headers.get('location') ?? '')).text()
    expect(page).toContain('The app has no access any more')
    expect(cardsIn(page)).toEqual(['other-app'])
    for (const tokens of mine) expect(await isShut(app, tokens)).toEqual([false, 400])
    expect(await (await app.exchange(held)).json()).toMatchObject({ error: 'invalid_grant' })
    expect(await isShut(app, kept[0])).toEqual([true, 200])
    expect(await isShut(other, kept[1])).toEqual([true, 200])

    const events = await server.database.many<{ grant: string; subject: string; peer: string | null }>(sql`
      select grant_id as grant, subject, peer from auth.audit_events where event = 'grant revoked'`)
    expect(new Set(events.map(({ grant }) => grant))).toEqual(new Set(mine.map(grantOf)))
    expect(events.map(({ subject }) => subject)).toEqual(['dr-amara', 'dr-amara'])
    expect(events.every(({ peer }) => peer !== null)).toBe(true)
    // It may be let in anew.
    expect(await app.isActive((await app.tokens({}, browser)).access_token)).toBe(true)
  })

  it('has none of what a code gives whose exchange meets the taking', async () => {
    await using server = await startTestAuth()
    const browser = server.browser()
    await browser.signIn()
    const app = new SmartApp(server)
    for (let round = 0; round < 5; round++) {
      await app.tokens({}, browser)
      const code = await app.code({}, browser)
      const [exchanged] = await Promise.all([
        app.exchange(code),
        browser.post('/account/apps/revoke-app', { app: 'demo-app' }),
      ])
      const answer = (await exchanged.json()) as Tokens
      const gave = exchanged.status === 200 && (await app.isActive(answer.access_token))
      expect([gave, [200, 400]]).toEqual([false, expect.arrayContaining([exchanged.status])])
      expect(cardsIn(await (await browser.get('/account/apps')).text())).toEqual([])
    }
  })

  it('keeps the others when one sign-in is ended, and its user is told so', async () => {
    await using server = await startTestAuth()
    const browser = server.browser()
    await browser.signIn()
    const app = new SmartApp(server)
    const [ended, going] = [await app.tokens({}, browser), await app.tokens({}, browser)]
    const told = async (grant: string) => {
      const taken = await browser.post('/account/apps/revoke', { grant })
      return (await browser.get(taken.headers.get('location') ?? '')).text()
    }
    const page = await told(grantOf(ended))
    expect(page).toContain('The sign-in has ended')
    expect(page).toContain('<bdi>Demo app</bdi> still has access by another sign-in.')
    expect(page).not.toContain('no access any more')
    expect(await isShut(app, ended)).toEqual([false, 400])
    expect(await isShut(app, going)).toEqual([true, 200])
    expect(await told(grantOf(going))).toContain('The app has no access any more')
    // The page of an app that has nothing left is that of all apps.
    const alone = await browser.get('/account/apps?app=demo-app')
    expect([alone.status, alone.headers.get('location')]).toEqual([302, '/account/apps'])
  })

  it('of another user is left alone, whatever is said', async () => {
    await using server = await startTestAuth()
    const [user, stranger] = [server.browser(), server.browser()]
    await Promise.all([user.signIn('clinician2'), stranger.signIn('patient')])
    const app = new SmartApp(server)
    const tokens = await app.tokens({}, user)
    for (const id of [
      'demo-app',
      'nobodys-app',
      'corridor-workspace',
      "o'; drop table auth.grants; --",
      'ز'.repeat(100),
    ]) {
      const taken = await stranger.post('/account/apps/revoke-app', { app: id })
      const page = await stranger.get(taken.headers.get('location') ?? '')
      expect([id, taken.status, page.status]).toEqual([id, 303, 200])
      expect(await page.text()).not.toContain('no access any more')
    }
    expect(await isShut(app, tokens)).toEqual([true, 200])
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

  it.each([
    ['clinician', '/portal'],
    ['admin', '/portal'],
    ['patient', '/account/apps'],
  ])('that ask whether to sign out lead %s, who does not, to %s, which is open to them', async (username, home) => {
    const browser = await signedIn(username)
    expect(await wayBack(browser)).toBe(home)
    expect((await browser.get(home)).status).toBe(200)
    // Nobody knows who sits here after a while; whoever signs in gets to their own first page.
    clock.forward(31 * 60)
    expect(await wayBack(browser)).toBe('/login')
    expect((await browser.signIn(username)).headers.get('location')).toBe(home)
  })

  it('that ask whether to sign out say which apps that does not end', async () => {
    const browser = await signedIn()
    const app = new SmartApp(auth)
    const offline = await app.tokens({ scope: 'openid offline_access' }, browser)
    const said = 'Only apps that were allowed to go on when you are signed out keep their access.'
    expect(await (await browser.get('/logout')).text()).toContain(said)
    clock.forward(31 * 60)
    expect(await (await browser.get('/logout')).text()).toContain(said)
    await browser.post('/logout', {})
    expect((await app.refresh(offline.refresh_token)).status).toBe(200)
  })

  it('say that somebody is signed out to nobody whose login goes on, or may', async () => {
    const browser = await signedIn()
    const isToldSo = async () => (await (await browser.get('/login?logout')).text()).includes('You are signed out')
    expect(await isToldSo()).toBe(false)
    clock.forward(31 * 60)
    expect(await isToldSo()).toBe(false)
    await browser.post('/logout', {})
    expect(await isToldSo()).toBe(true)
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

/** Where the page leads that asks whether to sign out, but to that. */
async function wayBack(browser: TestBrowser): Promise<string | undefined> {
  const [, form = ''] = (await (await browser.get('/logout')).text()).split('action="/logout"').slice(-2)
  return /<a [^>]*href="([^"]*)"/.exec(form)?.[1]
}

async function signedInWith(browser: TestBrowser, username: string): Promise<TestBrowser> {
  await browser.signIn(username)
  return browser
}
