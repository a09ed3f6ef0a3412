import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { demoUsers } from '../demo-accounts.ts'
import { codeAt, newTotpSecret, stepSeconds } from '../secrets/totp.ts'
import { PasswordHasher } from '../secrets/password.ts'
import { basic, launchToken, SmartApp, type Tokens } from '../testing/smart-app.ts'
import { casesOf, casesTimeoutMs } from '../../../packages/testkit/extent.ts'
import { MovedClock } from '../../../packages/testkit/moved-clock.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'

const guessCount = casesOf({ daily: 500, long: 4_000, night: 100_000 })

let auth: TestAuth
const clock = new MovedClock(new Date())
beforeAll(async () => {
  auth = await startTestAuth({ clock })
})
beforeEach(() => clock.forward(3_600))
afterAll(() => auth?.[Symbol.asyncDispose]())

const attempt = (username: string, password: string, server = auth) => server.browser().signIn(username, password)

describe('the login', () => {
  it('A18: says the same to an unknown user as to a wrong password', async () => {
    const answers = [await attempt('clinician', 'wrong'), await attempt('nobody', 'wrong'), await attempt('', '')]
    for (const { status, headers } of answers) {
      expect([status, headers.get('location'), headers.get('set-cookie')]).toEqual([302, '/login?error', null])
    }
    expect(await (await auth.browser().get('/login?error')).text()).toContain('That did not work')
  })

  it('takes a name as telephones write it, with a capital letter and a space behind it', async () => {
    expect((await attempt('Clinician ', 'demo')).status).toBe(303)
    expect((await attempt('clinician', 'demo ')).headers.get('location')).toBe('/login?error')
  })

  it('A18: does the same hashes and statements for an unknown user as for a wrong password', async () => {
    const workFor = async (username: string) => {
      const { passwords } = auth.deps
      const before = [passwords.computed, await auth.statements()]
      await attempt(username, 'wrong')
      const after = [passwords.computed, await auth.statements()]
      return after.map((count, at) => count - (before[at] ?? 0))
    }
    // The first failure of an address is counted by a statement of its own.
    await attempt('somebody', 'wrong')
    const [known, unknown, empty] = [await workFor('clinician'), await workFor('nobody'), await workFor('')]
    expect(known[0]).toBe(1)
    expect([unknown, empty]).toEqual([known, known])
  })

  it('A18: does the work of a hash for an unknown user too', async () => {
    const passwords = new PasswordHasher({ memoryKilobytes: 64, passes: 1 })
    const stored = await passwords.hash('right')
    expect(await passwords.verify('right', stored)).toBe(true)
    expect(await passwords.verify('wrong', stored)).toBe(false)
    expect(await passwords.verify('right', undefined)).toBe(false)
    expect(await passwords.verify('right', 'no hash at all')).toBe(false)
    expect(stored).not.toBe(await passwords.hash('right'))
  })

  it('the password of the demo is demo, at the full price of a real one', async () => {
    const [user] = demoUsers()
    expect(user?.passwordHash).toContain('m=19456,t=2')
    expect(await new PasswordHasher().verify('demo', user?.passwordHash)).toBe(true)
  })

  it('A19: makes the account wait after five failures, longer each time, and never for good', async () => {
    for (let failure = 0; failure < 5; failure++) await attempt('clinician', 'wrong')
    const blocked = await attempt('clinician', 'demo')
    expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, '2'])
    expect((await attempt('CLINICIAN', 'demo')).status).toBe(429)
    expect((await attempt('clinician2', 'demo')).status).toBe(303)
    clock.forward(3)
    await attempt('clinician', 'wrong')
    expect((await attempt('clinician', 'demo')).headers.get('retry-after')).toBe('4')
    clock.forward(5)
    expect((await attempt('clinician', 'demo')).status).toBe(303)
    await attempt('clinician', 'wrong')
    expect((await attempt('clinician', 'demo')).status).toBe(303)
  })

  it('A19: strangers who make an account or an address wait keep nobody out of their own browser', async () => {
    const own = auth.browser()
    await own.signIn('clinician2')
    await own.signIn('clinician')
    for (let failure = 0; failure < 5; failure++) await attempt('clinician', 'wrong')
    for (let failure = 0; failure < 15; failure++) await attempt(`guess-${failure}`, 'wrong')
    const kept = [await attempt('clinician', 'demo'), await attempt('clinician2', 'demo'), await own.signIn('patient')]
    expect(kept.map(({ status }) => status)).toEqual([429, 429, 429])
    // Whoever has signed in there before, one after the other.
    expect([(await own.signIn('clinician')).status, (await own.signIn('clinician2')).status]).toEqual([303, 303])
    expect((await own.signIn('clinician')).status).toBe(303)
  })

  it('A19: guesses at a browser that is known are counted as others are, and one that was planted is not known', async () => {
    const own = auth.browser()
    await own.signIn('clinician')
    const planted = own.cookies.get('corridor_auth_known') ?? ''
    await own.signIn('clinician')
    for (let failure = 0; failure < 5; failure++) await own.signIn('clinician', 'wrong')
    const blocked = await own.signIn('clinician')
    expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, '2'])
    // At the account itself nobody has failed; under the name that the browser had before, nobody is known.
    expect((await attempt('clinician', 'demo')).status).toBe(303)
    const thief = auth.browser()
    thief.cookies.set('corridor_auth_known', planted)
    for (let failure = 0; failure < 5; failure++) await thief.signIn('clinician', 'wrong')
    expect([(await thief.signIn('clinician')).status, (await attempt('clinician', 'demo')).status]).toEqual([429, 429])
  })

  it('A19: who signs in as themselves makes nobody forget the guesses at others who are known at the browser', async () => {
    const shared = auth.browser()
    await shared.signIn('clinician2')
    await shared.signIn('clinician')
    const { passwords } = auth.deps
    let lookedAt = 0
    for (let round = 0; round < 10; round++) {
      const before = passwords.computed
      for (let guess = 0; guess < 4; guess++) await shared.signIn('clinician2', `guess-${round}-${guess}`)
      lookedAt += passwords.computed - before
      expect((await shared.signIn('clinician')).status).toBe(303)
    }
    expect(lookedAt).toBe(5)
    expect((await shared.signIn('clinician2')).status).toBe(429)
    clock.forward(3)
    expect((await shared.signIn('clinician2')).status).toBe(303)
  })

  it('A19: of one person twenty browsers are known, those used last', async () => {
    const first = auth.browser()
    await first.signIn('clinician')
    const others = Array.from({ length: 20 }, () => auth.browser())
    for (const other of others) {
      clock.forward(1)
      await other.signIn('clinician')
    }
    for (let failure = 0; failure < 5; failure++) await attempt('clinician', 'wrong')
    expect((await first.signIn('clinician')).status).toBe(429)
    expect((await others[0]?.signIn('clinician'))?.status).toBe(303)
  })

  it('A19: makes an address wait after twenty failures in a minute', async () => {
    for (let failure = 0; failure < 20; failure++) await attempt(`guess-${failure}`, 'wrong')
    expect((await attempt('clinician', 'demo')).status).toBe(429)
    clock.forward(61)
    expect((await attempt('clinician', 'demo')).status).toBe(303)
  })

  it('A19: of 61 guesses at once five are looked at, and the right one behind them is not', async () => {
    const { passwords } = auth.deps
    const before = passwords.computed
    const guesses = Array.from({ length: 60 }, (_, guess) => attempt('clinician', `guess-${guess}`))
    const answers = await Promise.all([...guesses, attempt('clinician', 'demo')])
    expect(passwords.computed - before).toBe(5)
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(5)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(56)
    expect(new Set(refused.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['2']))
    clock.forward(3)
    expect((await attempt('clinician', 'demo')).status).toBe(303)
  })

  it('A19: after four failures one is looked at, however many come at once', async () => {
    for (let failure = 0; failure < 4; failure++) await attempt('clinician', 'wrong')
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt('clinician', 'wrong')))
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(1)
  })

  it('A19: at one address twenty are looked at, whatever the accounts', async () => {
    const answers = await Promise.all(Array.from({ length: 61 }, (_, guess) => attempt(`guess-${guess}`, 'wrong')))
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(41)
  })

  it('A19: addresses of IPv6 count by their network, of which one machine has them all', async () => {
    await using server = await startTestAuth({ clock, trustedProxies: ['127.0.0.1'] })
    const from = (address: string, guess: number) => {
      const fields = { username: `guess-${guess}`, password: 'wrong' }
      return server.browser().post('/login', fields, { 'x-forwarded-for': address })
    }
    const answers = await Promise.all(Array.from({ length: 30 }, (_, guess) => from(`2001:db8::${guess + 1}`, guess)))
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(20)
    expect((await from('2001:db8:0:1::1', 30)).status).toBe(302)
  })

  it('A19: a wave of right passwords is let in, also at one account and after a failure', async () => {
    await attempt('clinician', 'wrong')
    const answers = await Promise.all(Array.from({ length: 61 }, () => attempt('clinician', 'demo')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]))
  })

  it('A19: copies count together', async () => {
    await using copy = await startTestAuth({ clock, databaseUrl: auth.databaseUrl })
    for (let failure = 0; failure < 5; failure++) await attempt('clinician2', 'wrong', failure % 2 === 0 ? auth : copy)
    clock.forward(1)
    expect((await attempt('clinician2', 'demo')).status).toBe(429)
    expect((await attempt('clinician2', 'demo', copy)).status).toBe(429)
  })

  it(
    `A19: of ${guessCount} guesses at a password, one a second, only a few are looked at, and the right one is later`,
    async () => {
      const { passwords } = auth.deps
      const before = passwords.computed
      for (let guess = 0; guess < guessCount; guess++) {
        expect([302, 429]).toContain((await attempt('clinician', `guess-${guess}`)).status)
        clock.forward(1)
      }
      // Five, nine waits that grow, and then one in a quarter of an hour: each hour begins anew.
      const lookedAt = passwords.computed - before
      expect(lookedAt).toBeGreaterThan(5)
      expect(lookedAt).toBeLessThanOrEqual(18 * Math.ceil(guessCount / 3_600))
      clock.forward(900)
      expect((await attempt('clinician', 'demo')).status).toBe(303)
    },
    casesTimeoutMs,
  )

  it('A20: a flood of passwords waits in a line that has an end', async () => {
    const passwords = new PasswordHasher({ memoryKilobytes: 1_024, passes: 1 })
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => passwords.hash('x')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(66)
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')
    expect(refused?.reason).toMatchObject({ kind: 'too-much' })
    await expect(passwords.hash('x')).resolves.toBeDefined()
  })

  it('A20: while that line is full a login is asked to come again and health is answered; then all is well', async () => {
    const costly = await new PasswordHasher({ memoryKilobytes: 4_096, passes: 1 }).hash('x')
    const flood = { goesOn: true }
    const line = Array.from({ length: 66 }, async () => {
      while (flood.goesOn) await auth.deps.passwords.verify('x', costly)
    })
    const refused = await attempt('clinician', 'demo')
    const health = await fetch(`${auth.url}/actuator/health`)
    flood.goesOn = false
    await Promise.all(line)
    expect([refused.status, refused.headers.get('retry-after'), health.status]).toEqual([429, '5', 200])
    expect((await attempt('clinician', 'demo')).status).toBe(303)
  })

  it('counts failures of clients, by client and address, and never successes', async () => {
    const ask = (secret: string, id = 'svc-monitor') =>
      fetch(`${auth.url}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: basic(id, secret) },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      })
    await ask('wrong')
    const successes = await Promise.all(Array.from({ length: 200 }, () => ask('demo')))
    expect(new Set(successes.map(({ status }) => status))).toEqual(new Set([200]))
    const guesses = await Promise.all(Array.from({ length: 200 }, () => ask('wrong')))
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(59)
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(141)
    const blocked = await ask('demo')
    expect([blocked.status, Number(blocked.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await ask('demo', 'svc-bridge')).status).toBe(200)
  })

  it.each<[string, (guess: number) => RequestInit]>([
    [
      'ever other spellings of its id',
      (guess) => ({
        headers: { authorization: basic(spelledAnew('svc-monitor', guess), 'wrong') },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      }),
    ],
    [
      'a header beside the form that is no proof',
      (guess) => ({
        headers: { authorization: `Basic !${guess}` },
        body: new URLSearchParams({ client_id: 'svc-monitor', client_secret: 'wrong', grant_type: 'x' }),
      }),
    ],
  ])('guesses at the secret of a client count together under %s', async (_how, guess) => {
    const ask = (how: RequestInit) => fetch(`${auth.url}/oauth2/token`, { method: 'POST', ...how })
    const guesses = await Promise.all(Array.from({ length: 60 }, (_, at) => ask(guess(at))))
    expect(guesses.map(({ status }) => status).filter((status) => status === 429)).toEqual([])
    expect((await ask(guess(60))).status).toBe(429)
    const right = { headers: { authorization: basic('svc-monitor', 'demo') } }
    expect((await ask({ ...right, body: new URLSearchParams({ grant_type: 'client_credentials' }) })).status).toBe(429)
  })

  it.each<[string, string, (made: string) => RequestInit]>([
    [
      'in the form at the token endpoint',
      'token',
      (made) => ({ body: new URLSearchParams({ client_id: made, grant_type: 'client_credentials' }) }),
    ],
    [
      'in the header at the token endpoint',
      'token',
      (made) => ({
        headers: { authorization: basic(made, 'x') },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      }),
    ],
    ['where tokens are revoked', 'revoke', (made) => ({ body: new URLSearchParams({ client_id: made, token: 'x' }) })],
    [
      'that cannot be ids, where tokens are asked about',
      'introspect',
      (made) => ({
        headers: { authorization: basic(`%F0%9F%92%89 ${made}`, 'x') },
        body: new URLSearchParams({ token: 'x' }),
      }),
    ],
  ])('ids that no client has count together %s: past the limit nothing is written down', async (_where, path, how) => {
    const post = (to: string, init: RequestInit) => fetch(`${auth.url}/oauth2/${to}`, { method: 'POST', ...init })
    const before = await kept('client authentication failed')
    const answers = await Promise.all(Array.from({ length: 90 }, (_, at) => post(path, how(`made-up-${at}`))))
    const waiting = answers.filter(({ status }) => status === 429)
    expect(waiting).toHaveLength(30)
    expect(Number(waiting[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    const after = await kept('client authentication failed')
    expect(after.events - before.events).toBe(60)
    expect(after.failures - before.failures, 'a row for all of them').toBeLessThanOrEqual(1)
    // Whoever has an id is not of them.
    const right = { headers: { authorization: basic('svc-monitor', 'demo') } }
    const asked = { ...right, body: new URLSearchParams({ grant_type: 'client_credentials' }) }
    expect((await post('token', asked)).status).toBe(200)
    clock.forward(60)
    expect([400, 401]).toContain((await post(path, how('made-up'))).status)
  })

  it('launches that nobody made are told to wait, and keep no good one from the same address', async () => {
    const app = new SmartApp(auth)
    const scope = 'launch openid'
    const browser = auth.browser()
    await browser.signIn()
    const launch = await launchToken(browser)
    const before = await kept('launch rejected')
    const junk = (at: number) => app.authorize(auth.browser(), { launch: `made-up-${at}`, scope })
    const answers = await Promise.all(Array.from({ length: 90 }, (_, at) => junk(at)))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(60)
    const waiting = answers.filter(({ status }) => status === 429)
    expect(waiting).toHaveLength(30)
    expect(Number(waiting[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    const after = await kept('launch rejected')
    expect(after.events - before.events).toBe(60)
    expect(after.failures - before.failures, 'a row for all of them').toBeLessThanOrEqual(1)
    expect((await app.tokens({ launch, scope }, browser)).patient).toBe('amina-diallo')
    clock.forward(60)
    expect((await junk(90)).status).toBe(401)
  })

  /** How many of these events are written down, and how many keys have failed. */
  const kept = (event: string) =>
    auth.database.one<{ readonly events: number; readonly failures: number }>(sql`
      select (select count(*)::integer from auth.audit_events where event = ${event}) as events,
        (select count(*)::integer from auth.failures) as failures`)

  it('codes that nobody gave are told to wait, and keep no good code and no refresh token from the same address', async () => {
    const app = new SmartApp(auth)
    const { refresh_token: token } = await app.tokens()
    const code = await app.code()
    const made = await Promise.all(Array.from({ length: 90 }, (_, at) => app.exchange(at < 45 ? `made-up-${at}` : '')))
    expect(made.filter(({ status }) => status === 400)).toHaveLength(60)
    const waiting = made.filter(({ status }) => status === 429)
    expect(waiting).toHaveLength(30)
    expect(Number(waiting[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await app.exchange(code)).status).toBe(200)
    const refreshed = await app.refresh(token)
    expect(refreshed.status).toBe(200)
    // One that is over is told so, and not to wait.
    expect((await app.refresh(token)).status).toBe(400)
    clock.forward(60)
    expect((await app.exchange('made-up')).status).toBe(400)
  })

  it('refresh tokens that are none are told to wait, and keep no good one out', async () => {
    const app = new SmartApp(auth)
    const { refresh_token: token } = await app.tokens()
    const made = await Promise.all(Array.from({ length: 61 }, () => app.refresh('made-up')))
    expect(made.filter(({ status }) => status === 429)).toHaveLength(1)
    expect((await app.refresh(token)).status).toBe(200)
  })

  it.each<[string, string, () => RequestInit]>([
    ['questions without a proof', 'introspect', () => ({ body: new URLSearchParams({ token: 'x' }) })],
    [
      'questions with a bearer that is none',
      'introspect',
      () => ({ headers: { authorization: 'Bearer x' }, body: new URLSearchParams({ token: 'x' }) }),
    ],
    [
      'secrets of an app that has none',
      'token',
      () => ({ body: new URLSearchParams({ client_id: 'demo-app', client_secret: 'x', grant_type: 'x' }) }),
    ],
  ])('%s are told to wait, and keep nobody out who comes with a token or a code', async (_what, path, junk) => {
    const app = new SmartApp(auth)
    const post = (to: string, init: RequestInit) => fetch(`${auth.url}/oauth2/${to}`, { method: 'POST', ...init })
    const asked = { headers: { authorization: basic('svc-bridge', 'demo') } }
    const service = await post('token', { ...asked, body: new URLSearchParams({ grant_type: 'client_credentials' }) })
    const { access_token: bearer } = (await service.json()) as Tokens
    const code = await app.code()
    const answers = await Promise.all(Array.from({ length: 90 }, () => post(path, junk())))
    const waiting = answers.filter(({ status }) => status === 429)
    expect(waiting).toHaveLength(30)
    expect(Number(waiting[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    const exchanged = await app.exchange(code)
    expect(exchanged.status).toBe(200)
    const { refresh_token: token } = (await exchanged.json()) as Tokens
    const body = new URLSearchParams({ token })
    const asking = await post('introspect', { headers: { authorization: `Bearer ${bearer}` }, body })
    expect([asking.status, await asking.json()]).toEqual([200, expect.objectContaining({ active: true })])
    expect((await post('revoke', { body })).status).toBe(200)
    expect(await app.isActive(token)).toBe(false)
    clock.forward(60)
    expect([400, 401]).toContain((await post(path, junk())).status)
  })

  it('keeps no password, code, token or cookie in the clear', async () => {
    const browser = auth.browser()
    await browser.signIn()
    const [cookie = ''] = browser.cookies.values()
    const rows = await auth.database.many<{ all: string }>(
      sql`select s::text as all from auth.sessions s union all select u::text from auth.users u`,
    )
    const text = rows.map(({ all }) => all).join('\n')
    expect(text).not.toContain(cookie)
    expect(text).toContain('$argon2id$')
  })
})

describe('one-time codes', () => {
  /** Zeros at the end of an HMAC's key change nothing, so this is the key of nought letters. */
  const noKey = 'A'.repeat(16)

  it('are needed where a user has them, and good once', async () => {
    const secret = newTotpSecret()
    await using server = await startTestAuth({ clock, section: { totp: true } })
    const sealed = await server.deps.sealer.seal(secret, 'clinician')
    await server.database.run(sql`update auth.users set totp_secret = ${sealed} where username = 'clinician'`)
    const codeNow = () => codeAt(Math.floor(clock.now().getTime() / 1_000 / stepSeconds), secret)
    const signIn = (totp: string) => server.browser().signIn('clinician', 'demo', totp === '' ? {} : { totp })
    expect((await signIn('')).status).toBe(302)
    expect((await signIn('000000')).status).toBe(302)
    const code = codeNow()
    expect((await signIn(code)).status).toBe(303)
    expect((await signIn(code)).status).toBe(302)
    expect((await server.browser().signIn('clinician2', 'demo')).status).toBe(303)
    expect(await (await server.browser().get('/login')).text()).toContain('One-time code')
    expect(await (await server.browser().get('/login?error')).text()).toContain(
      'user name and password, and your code,',
    )
  })

  it.each(['', 'jbswy3dpehpk3pxp', 'JBSWY3DPEHPK3PX1'])('open nothing with the stored secret "%s"', async (secret) => {
    const step = Math.floor(clock.now().getTime() / 1_000 / stepSeconds)
    expect(() => codeAt(step, secret)).toThrow('is base32')
    const sealed = await auth.deps.sealer.seal(secret, 'clinician2')
    await auth.database.run(sql`update auth.users set totp_secret = ${sealed} where username = 'clinician2'`)
    expect((await auth.browser().signIn('clinician2', 'demo', { totp: codeAt(step, noKey) })).status).toBe(500)
    await auth.database.run(sql`update auth.users set totp_secret = null where username = 'clinician2'`)
  })

  it('are those of RFC 6238', () => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    expect(codeAt(Math.floor(59 / 30), secret)).toBe('287082')
    expect(codeAt(Math.floor(1_111_111_109 / 30), secret)).toBe('081804')
    expect(codeAt(Math.floor(20_000_000_000 / 30), secret)).toBe('353130')
  })
})

/** The same id to whoever decodes it: of its first six letters those are escaped that have a bit in the number. */
function spelledAnew(id: string, number: number): string {
  const escaped = (letter: string, at: number) =>
    at < 6 && ((number >> at) & 1) === 1 ? `%${letter.charCodeAt(0).toString(16)}` : letter
  return Array.from(id, escaped).join('')
}
