import { generateKeyPairSync } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { PasswordHasher } from '../secrets/password.ts'
import { codeAt, stepSeconds } from '../secrets/totp.ts'
import { findAuditEvent } from '../store/audit-events.ts'
import { disableClients } from '../store/clients.ts'
import { basic, redirectUri, SmartApp, type Tokens } from '../testing/smart-app.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'
import { addClient, changeClient, describeClients, disableClient, renewSecret } from './clients.ts'
import type { CliDeps } from './cli-deps.ts'
import { listKeys, removeKey, rotateKeys } from './keys.ts'
import {
  addUser,
  changeUser,
  describeUsers,
  disableUser,
  endLogins,
  renewTotp,
  resetPassword,
  takeTotpAway,
} from './users.ts'

let auth: TestAuth
let deps: CliDeps
beforeAll(async () => {
  auth = await startTestAuth()
  deps = cliDepsOf(auth)
})
afterAll(() => auth?.[Symbol.asyncDispose]())

const cliDepsOf = ({ deps: given }: TestAuth): CliDeps => ({
  ...given,
  ...{ mode: 'production', auditToFhir: false, allowsLoopbackKeySets: false, operator: 'os:tester' },
  passwordCost: { memoryKilobytes: 64, passes: 1 },
})

const service = { grantTypes: ['client_credentials'], authMethods: ['client_secret_basic'], scope: 'system/*.rs' }
const { scope: _scope, ...withoutScope } = service
const person = { fhirUser: 'Practitioner/dr-new', roles: ['CLINICIAN'] }
let losers = 0

const serviceToken = async (clientId: string, secret: string) => {
  const authorization = basic(clientId, secret)
  const response = await new SmartApp(auth).token({ grant_type: 'client_credentials' }, { authorization })
  return ((await response.json()) as Tokens).access_token
}

const deniedGrants = async () =>
  ((await (await fetch(`${auth.url}/oauth2/revocations`)).json()) as { grants: string[] }).grants

const tokenStatus = async (clientId: string, secret: string) =>
  (await new SmartApp(auth).token({ grant_type: 'client_credentials' }, { authorization: basic(clientId, secret) }))
    .status

describe('clients', () => {
  it('get a secret that is shown once and works at once', async () => {
    const { secret = '' } = await addClient({ ...service, clientId: 'lab-system' }, deps)
    expect(secret).toHaveLength(43)
    expect(await tokenStatus('lab-system', secret)).toBe(200)
    const shown = await describeClients(deps)
    expect(shown.map(({ clientId }) => clientId)).toContain('lab-system')
    expect(JSON.stringify(shown)).not.toMatch(/sha256:/)
  })

  it('change over to a new secret without a gap', async () => {
    const { secret: old = '' } = await addClient({ ...service, clientId: 'changing' }, deps)
    const { secret } = await renewSecret({ clientId: 'changing' }, deps)
    expect([await tokenStatus('changing', old), await tokenStatus('changing', secret)]).toEqual([200, 200])
    const { secret: newest } = await renewSecret({ clientId: 'changing' }, deps)
    expect([await tokenStatus('changing', newest), await tokenStatus('changing', old)]).toEqual([200, 401])
  })

  it('whose secret was stolen lose it at once when that is wanted', async () => {
    const { secret: old = '' } = await addClient({ ...service, clientId: 'robbed' }, deps)
    const { secret } = await renewSecret({ clientId: 'robbed', overlapSeconds: 0 }, deps)
    expect([await tokenStatus('robbed', secret), await tokenStatus('robbed', old)]).toEqual([200, 401])
  })

  it('are changed in what is said, and keep all else and what users granted them', async () => {
    const moving = { clientId: 'moving-app', redirectUris: [redirectUri], scope: 'openid fhirUser offline_access' }
    const kept = { policyUri: 'https://app.example/privacy', patientPicker: 'never', accessTokenSeconds: 600 } as const
    await addClient({ ...moving, ...kept, allowedOrigins: ['https://pages.example'] }, deps)
    const app = new SmartApp(auth, 'moving-app')
    const browser = auth.browser()
    const tokens = await app.tokens({}, browser)
    const change = { redirectUris: ['https://new.example/cb'], requiresConsent: true }
    await changeClient('moving-app', change, deps)
    await changeClient('moving-app', change, deps)
    const shown = (await describeClients(deps)).find(({ clientId }) => clientId === 'moving-app')
    const allowedOrigins = ['https://new.example', 'https://pages.example']
    expect(shown).toMatchObject({ ...moving, ...kept, ...change, allowedOrigins })
    expect((await app.authorize(browser)).status).toBe(400)
    expect((await app.refresh(tokens.refresh_token)).status).toBe(200)
    const rows = await auth.database.many<{ reason: string }>(sql`
      select reason from auth.audit_events where client_id = 'moving-app' and event = 'account changed' order by at, id`)
    const changed = 'client changed: redirectUris, allowedOrigins, requiresConsent'
    expect(rows.map(({ reason }) => reason)).toEqual(['client added', changed])
  })

  it('change over to other keys without a gap, and lose what a key has proven that is gone', async () => {
    const keyNamed = (kid: string) => {
      const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
      return { ...publicKey.export({ format: 'jwk' }), kid }
    }
    const [first, second] = [keyNamed('first'), keyNamed('second')]
    const jwks = (...keys: object[]) => ({ jwks: JSON.stringify({ keys }) })
    const clientId = 'key-holder'
    await addClient({ ...service, authMethods: ['private_key_jwt'], clientId, ...jwks(first) }, deps)
    const ownGrant = async () =>
      (
        await auth.database.one<{ id: string }>(
          sql`select own_grant_id as id from auth.clients where client_id = ${clientId}`,
        )
      ).id
    const grant = await ownGrant()
    await changeClient(clientId, jwks(first, second), deps)
    expect([await ownGrant(), (await deniedGrants()).includes(grant)]).toEqual([grant, false])
    await changeClient(clientId, jwks(second), deps)
    expect((await deniedGrants()).includes(grant)).toBe(true)
    await changeClient(clientId, { jwksUri: 'https://app.example/jwks' }, deps)
    const shown = (await describeClients(deps)).find((client) => client.clientId === clientId)
    expect(shown).toMatchObject({ jwks: null, jwksUri: 'https://app.example/jwks', scope: service.scope })
    const { secret = '' } = await changeClient(clientId, { authMethods: ['client_secret_basic'] }, deps)
    expect(await tokenStatus(clientId, secret)).toBe(200)
  })

  it('are changed only into what could be added, and only where they were added here', async () => {
    await addClient({ ...service, clientId: 'steady' }, deps)
    const wrong = changeClient('steady', { scope: 'everything' }, deps)
    await expect(wrong).rejects.toThrow('not a SMART scope: everything')
    for (const clientId of ['svc-bridge', 'nobody']) {
      const change = changeClient(clientId, { clientName: 'x' }, deps)
      await expect(change).rejects.toThrow(`There is no active client ${clientId} that was added here`)
    }
  })

  it('that are disabled are out, with everything that was granted to them', async () => {
    await addClient({ clientId: 'old-app', redirectUris: [redirectUri], scope: 'openid offline_access' }, deps)
    const app = new SmartApp(auth, 'old-app')
    const tokens = await app.tokens()
    await disableClient('old-app', deps)
    expect(await app.isActive(tokens.access_token)).toBe(false)
    expect((await app.refresh(tokens.refresh_token)).status).toBe(400)
    await expect(disableClient('old-app', deps)).rejects.toThrow('no active client')
  })

  it('that are disabled while they exchange a code get nothing for it', async () => {
    await addClient({ clientId: 'quick-app', redirectUris: [redirectUri], scope: 'openid offline_access' }, deps)
    const app = new SmartApp(auth, 'quick-app')
    const code = await app.code()
    let answered = 0
    const exchanging = await auth.database.transaction(async (tx) => {
      await disableClients(['quick-app'], 'command', new Date(), tx)
      const exchange = app.exchange(code).then(({ status }) => (answered = status))
      const isHeldUp = async () => {
        const waiting = await auth.database.many(sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
        return answered > 0 || waiting.length > 0
      }
      await waitFor(isHeldUp, { what: 'the exchange to wait for the registration, or to be over' })
      return { exchange }
    })
    expect(await exchanging.exchange).toBe(400)
    const grants = await auth.database.many(sql`select 1 from auth.grants where client_id = 'quick-app'`)
    expect(grants).toEqual([])
  })

  it('that are disabled lose the tokens of their own, and have living ones again when they are back', async () => {
    const { secret: old = '' } = await addClient({ ...service, clientId: 'closed' }, deps)
    const app = new SmartApp(auth)
    const before = await serviceToken('closed', old)
    expect(await app.isActive(before)).toBe(true)
    await disableClient('closed', deps)
    expect(await app.isActive(before)).toBe(false)
    // What all other services read.
    expect(await deniedGrants()).toContain(decodeJwt(before)['gid'])
    const { secret = '' } = await addClient({ ...service, clientId: 'closed' }, deps)
    const after = await serviceToken('closed', secret)
    expect([await app.isActive(before), await app.isActive(after)]).toEqual([false, true])
  })

  it('whose secret was stolen lose the tokens that were had with it, unless there is time to change over', async () => {
    const { secret: first = '' } = await addClient({ ...service, clientId: 'robbed-twice' }, deps)
    const app = new SmartApp(auth)
    const before = await serviceToken('robbed-twice', first)
    const { secret: second } = await renewSecret({ clientId: 'robbed-twice' }, deps)
    expect(await app.isActive(before)).toBe(true)
    const { secret: third } = await renewSecret({ clientId: 'robbed-twice', overlapSeconds: 0 }, deps)
    expect([await app.isActive(before), await tokenStatus('robbed-twice', second)]).toEqual([false, 401])
    expect(await app.isActive(await serviceToken('robbed-twice', third))).toBe(true)
  })

  it('lose by a command what users granted them and what they have themselves, and the audit trail says so', async () => {
    const app = { clientId: 'both-ways', redirectUris: [redirectUri], scope: 'openid offline_access system/*.rs' }
    const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials']
    const { secret = '' } = await addClient({ ...service, ...app, grantTypes }, deps)
    const browser = auth.browser()
    await browser.signIn()
    const smart = new SmartApp(auth, 'both-ways')
    const code = await smart.code({ scope: 'openid offline_access' }, browser)
    const proof = { authorization: basic('both-ways', secret) }
    const exchanged = (await (await smart.exchange(code, {}, proof)).json()) as Tokens
    const gidOf = (token: string) => decodeJwt(token)['gid']
    const first = gidOf(await serviceToken('both-ways', secret))
    const { secret: renewed } = await renewSecret({ clientId: 'both-ways', overlapSeconds: 0 }, deps)
    const second = gidOf(await serviceToken('both-ways', renewed))
    await disableClient('both-ways', deps)
    const rows = await auth.database.many(sql`
      select reason, grant_id as "grantId", subject from auth.audit_events
      where event = 'grant revoked' and client_id = 'both-ways' order by at, subject nulls last`)
    expect(rows).toEqual([
      { reason: 'client secret renewed', grantId: first, subject: null },
      { reason: 'client disabled', grantId: gidOf(exchanged.access_token), subject: 'dr-amara' },
      { reason: 'client disabled', grantId: second, subject: null },
    ])
  })

  it('that were disabled can be added again, and no secret from before comes back with them', async () => {
    const { secret: first = '' } = await addClient({ ...service, clientId: 'returning' }, deps)
    const { secret: second } = await renewSecret({ clientId: 'returning' }, deps)
    await disableClient('returning', deps)
    const { secret: third = '' } = await addClient({ ...service, clientId: 'returning' }, deps)
    const statuses = [first, second, third].map((secret) => tokenStatus('returning', secret))
    expect(await Promise.all(statuses)).toEqual([401, 401, 200])
    await expect(addClient({ ...service, clientId: 'returning' }, deps)).rejects.toThrow('already')
  })

  it('may have their keys on this machine where the configuration lets them', async () => {
    const local = { ...service, authMethods: ['private_key_jwt'], jwksUri: 'http://localhost:3999/jwks' }
    await expect(addClient({ ...local, clientId: 'near' }, deps)).rejects.toThrow('jwksUri must be https')
    await addClient({ ...local, clientId: 'near' }, { ...deps, allowsLoopbackKeySets: true })
    expect((await describeClients(deps)).find(({ clientId }) => clientId === 'near')?.jwksUri).toBe(local.jwksUri)
  })

  it.each([
    [{ clientId: 'a b' }, /clientId must be letters/],
    [{ clientId: 'x', redirectUris: ['http://app.example/cb'] }, /must be https/],
    [{ clientId: 'x', redirectUris: ['https://app.example/cb#x'] }, /without fragment/],
    [{ clientId: 'x', redirectUris: ['https://*.example/cb'] }, /wildcard/],
    [{ clientId: 'x', redirectUris: ['https://:word@app.example/cb'] }, /must not hold a user/],
    [{ clientId: 'x', redirectUris: ['https://a.example/cb,https://b.example/cb'] }, /must be one address/],
    [{ clientId: 'x', redirectUris: ['javascript:alert(1)'] }, /not an address of an app/],
    [
      { clientId: 'x', redirectUris: ['https://app.example/zurück'] },
      /must be written as https:\/\/app\.example\/zur%C3%BCck/,
    ],
    [{ clientId: 'x', redirectUris: ['https://アプリ.example/cb'] }, /must be written as https:\/\/xn--/],
    [{ clientId: 'x' }, /redirectUris is needed/],
    [{ clientId: 'x', grantTypes: ['password'] }, /grantTypes must be some of/],
    [{ clientId: 'x', grantTypes: ['client_credentials'] }, /needs a client that proves itself.*--auth/],
    [{ clientId: 'x', redirectUris: [redirectUri], authMethods: ['basic'] }, /not basic\.$/],
    [
      { clientId: 'x', redirectUris: [redirectUri], allowedOrigins: ['app.example'] },
      /such as https:.*not app.example/,
    ],
    [
      { clientId: 'x', redirectUris: [redirectUri], allowedOrigins: ['http://app.example'] },
      /allowedOrigins: http:\/\/app\.example must be https; http is for localhost only/,
    ],
    [{ clientId: 'x', redirectUris: [redirectUri], policyUri: 'javascript:alert(1)' }, /policyUri must be https/],
    [{ clientId: 'x', redirectUris: [redirectUri], tosUri: 'http://app.example/terms' }, /tosUri must be https/],
    [{ clientId: 'x', redirectUris: [redirectUri], logoUri: '/logo.svg' }, /logoUri must be an absolute address/],
    [{ ...service, clientId: 'x', organisation: 'lakeside' }, /organisation must be Organization\/<id>/],
    [{ clientId: 'x', redirectUris: [redirectUri], authMethods: ['private_key_jwt'] }, /needs jwks or jwksUri/],
    [{ ...service, clientId: 'x', authMethods: ['private_key_jwt'], jwksUri: 'http://10.0.0.1/k' }, /must be https/],
    [
      { ...service, clientId: 'x', authMethods: ['private_key_jwt'], jwks: '{"keys":["x",{"kty":"oct"}]}' },
      /the key at place 1 is not a JWK; jwks: the key at place 2 must have kty RSA or EC/,
    ],
    [{ ...service, clientId: 'x', scope: 'everything' }, /not a SMART scope: everything/],
    [{ ...service, clientId: 'x', scope: 'system/Nonsense.rs' }, /the FHIR store gives nothing: system\/Nonsense.rs/],
    [{ ...withoutScope, clientId: 'x' }, /must have a system\/ scope for client_credentials.*--scope/],
    [{ ...service, clientId: 'x', scope: 'openid user/*.rs' }, /must have a system\/ scope/],
    [
      { clientId: 'x', redirectUris: [redirectUri], scope: 'system/*.rs' },
      /others than system\/ scopes for authorization_code.*--scope/,
    ],
    [
      { clientId: 'x', redirectUris: [redirectUri], refreshTokenSeconds: 99_999_999_999 },
      /refreshTokenSeconds must be a whole number from 0 to 7776000/,
    ],
    [{ ...service, clientId: 'dr-amara' }, /a person has this id/],
    [{ ...service, clientId: 'svc-bridge' }, /already/],
  ])('A23: cannot be added as %o', async (options, why) => {
    await expect(addClient(options, deps)).rejects.toThrow(why)
  })
})

describe('users', () => {
  it('can sign in at once with the password that was made', async () => {
    const { password } = await addUser({ ...person, username: 'Newcomer' }, deps)
    expect((await auth.browser().signIn('newcomer', password)).status).toBe(303)
    expect(JSON.stringify(await describeUsers(deps))).not.toContain('argon2')
  })

  it('A26: whose password is reset are signed out; apps go on only where that is wanted', async () => {
    const { password } = await addUser({ ...person, username: 'forgetful', fhirUser: 'Practitioner/dr-f' }, deps)
    const browser = auth.browser()
    await browser.signIn('forgetful', password)
    const app = new SmartApp(auth)
    const online = await app.tokens({ scope: 'openid' }, browser)
    const offline = await app.tokens({ scope: 'openid offline_access' }, browser)
    const renewed = await resetPassword({ username: 'forgetful' }, deps)
    expect((await browser.get('/portal')).status).toBe(302)
    expect((await app.refresh(online.refresh_token)).status).toBe(400)
    const again = (await (await app.refresh(offline.refresh_token)).json()) as Tokens
    expect((await auth.browser().signIn('forgetful', password)).headers.get('location')).toBe('/login?error')
    expect((await auth.browser().signIn('forgetful', renewed.password)).status).toBe(303)
    await resetPassword({ username: 'forgetful', everywhere: true }, deps)
    expect((await app.refresh(again.refresh_token)).status).toBe(400)
  })

  it.each<[string, (options: Parameters<typeof addUser>[0]) => Promise<{ readonly password: string }>]>([
    ['is reset', ({ username }) => resetPassword({ username }, deps)],
    [
      'is new, because they were disabled and are back',
      async (options) => {
        await disableUser(options.username, deps)
        return addUser(options, deps)
      },
    ],
  ])('whose password %s do not wait for what was tried with the one before', async (what, renew) => {
    const username = `hasty-${what.length}`
    const hasty = { ...person, username, fhirUser: `Practitioner/${username}` }
    const { password: before } = await addUser(hasty, deps)
    const own = auth.browser()
    await own.signIn(username, before)
    const browsers = [own, auth.browser()]
    for (const browser of browsers) {
      for (let failure = 1; failure <= 5; failure++) await browser.signIn(username, 'forgotten')
      expect((await browser.signIn(username, before)).status).toBe(429)
    }
    const { password } = await renew(hasty)
    for (const browser of browsers) expect((await browser.signIn(username, password)).status).toBe(303)
  })

  it.each(['password', 'one-time codes'])(
    'A26: who is signing in while they get another %s are not let in',
    async (what) => {
      const username = `slow-${what.length}`
      const { password } = await addUser({ ...person, username, fhirUser: `Practitioner/${username}` }, deps)
      // So that looking at the password takes longer than the change.
      const dear = await new PasswordHasher({ memoryKilobytes: 65_536, passes: 6 }).hash(password)
      await auth.database.run(sql`update auth.users set password_hash = ${dear} where username = ${username}`)
      const { computed } = auth.deps.passwords
      const signingIn = auth.browser().signIn(username, password)
      await waitFor(() => auth.deps.passwords.computed > computed, { what: 'the password to be looked at' })
      await (what === 'password' ? resetPassword({ username }, deps) : renewTotp(username, deps))
      expect((await signingIn).headers.get('location')).toBe('/login?error')
      const sessions = await auth.database.many(sql`
      select 1 from auth.sessions s join auth.users u on u.id = s.user_id where u.username = ${username}`)
      expect(sessions).toEqual([])
    },
  )

  it('that are disabled are out everywhere', async () => {
    const { password } = await addUser({ ...person, username: 'leaver', fhirUser: 'Practitioner/dr-l' }, deps)
    const browser = auth.browser()
    await browser.signIn('leaver', password)
    const app = new SmartApp(auth)
    const tokens = await app.tokens({}, browser)
    await disableUser('leaver', deps)
    expect((await browser.get('/portal')).status).toBe(302)
    expect((await auth.browser().signIn('leaver', password)).status).toBe(302)
    expect(await app.isActive(tokens.access_token)).toBe(false)
  })

  it('are given other roles and another place, and keep their password, their codes, their login and their apps', async () => {
    const promoted = { ...person, username: 'promoted', fhirUser: 'Practitioner/dr-p', roles: ['ADMIN'] }
    const { password } = await addUser({ ...promoted, organisation: 'Organization/a' }, deps)
    const browser = auth.browser()
    await browser.signIn('promoted', password)
    const app = new SmartApp(auth)
    const { refresh_token: token } = await app.tokens({ scope: 'openid offline_access user/Patient.rs' }, browser)
    await changeUser('Promoted', { roles: ['CLINICIAN', 'ADMIN'], organisation: null }, deps)
    const changed = (await describeUsers(deps)).find(({ username }) => username === 'promoted')
    expect(changed).toMatchObject({ roles: ['CLINICIAN', 'ADMIN'], organisation: null, displayName: 'promoted' })
    expect((await browser.get('/portal')).status).toBe(200)
    expect((await auth.browser().signIn('promoted', password)).status).toBe(303)
    const wider = (await (await app.refresh(token)).json()) as Tokens
    expect(decodeJwt(wider.access_token)).toMatchObject({ roles: ['CLINICIAN', 'ADMIN'] })

    await changeUser('promoted', { roles: ['PATIENT'] }, deps)
    expect((await browser.get('/portal')).status).toBe(403)
    const narrower = (await (await app.refresh(wider.refresh_token)).json()) as Tokens
    expect(narrower.scope).toBe('openid offline_access')
    const reasons = await auth.database.many(
      sql`select reason from auth.audit_events where username = 'promoted' and event = 'account changed' order by at, id`,
    )
    expect(reasons).toEqual(
      ['user added', 'user changed: roles, organisation', 'user changed: roles'].map((reason) => ({ reason })),
    )
  })

  it('who are only beside a patient from now on lose what they were let into as staff', async () => {
    const both = { ...person, username: 'both', fhirUser: 'RelatedPerson/both' }
    const { password } = await addUser(both, deps)
    const browser = auth.browser()
    await browser.signIn('both', password)
    const app = new SmartApp(auth)
    const { refresh_token: token } = await app.tokens({ scope: 'openid offline_access' }, browser)
    await changeUser('both', { roles: ['PATIENT'] }, deps)
    expect([(await app.refresh(token)).status, (await browser.get('/account/apps')).status]).toEqual([400, 302])
  })

  it.each<[string, Parameters<typeof changeUser>[1], RegExp]>([
    ['clinician', { roles: ['ADMIN'] }, /declared ones are changed in the configuration/],
    ['nobody-here', { roles: ['ADMIN'] }, /There is no active user nobody-here/],
    ['unchanged', { roles: [] }, /roles must be some of/],
    ['unchanged', { roles: ['SYSTEM'] }, /roles must be some of/],
    ['unchanged', { organisation: 'here' }, /organisation must be Organization/],
  ])('are not changed where that is nothing: %s, %o', async (username, said, why) => {
    const known = (await describeUsers(deps)).some((user) => user.username === 'unchanged')
    if (!known) await addUser({ ...person, username: 'unchanged', fhirUser: 'Practitioner/dr-unchanged' }, deps)
    await expect(changeUser(username, said, deps)).rejects.toThrow(why)
  })

  it('that were disabled can be added again as who they were, and have no other password before', async () => {
    const returner = { ...person, username: 'returner', fhirUser: 'Practitioner/dr-r' }
    const { password: old } = await addUser(returner, deps)
    await disableUser('returner', deps)
    await expect(resetPassword({ username: 'returner' }, deps)).rejects.toThrow('who was disabled is added again')
    const { password } = await addUser(returner, deps)
    expect((await auth.browser().signIn('returner', old)).headers.get('location')).toBe('/login?error')
    expect((await auth.browser().signIn('returner', password)).status).toBe(303)
    await disableUser('returner', deps)
    const other = addUser({ ...returner, fhirUser: 'Practitioner/somebody-else' }, deps)
    await expect(other).rejects.toThrow('already')
    const renamed = addUser({ ...returner, username: 'returned' }, deps)
    await expect(renamed).rejects.toThrow('Practitioner/dr-r has the account returner already, which is disabled')
  })

  it('are audited as the person they are, however their name is typed', async () => {
    await addUser({ ...person, username: 'Spelt', fhirUser: 'Practitioner/dr-s' }, deps)
    await resetPassword({ username: 'SPELT' }, deps)
    await renewTotp('Spelt', deps)
    await disableUser('SpelT', deps)
    const rows = await auth.database.many<{ id: string }>(
      sql`select id from auth.audit_events where lower(username) = 'spelt' order by at, id`,
    )
    const events = await Promise.all(rows.map(({ id }) => findAuditEvent(id, auth.database)))
    expect(events.map((event) => [event?.reason, event?.fhirUser])).toEqual(
      ['user added', 'password reset', 'one-time codes given', 'user disabled'].map((reason) => [
        reason,
        'Practitioner/dr-s',
      ]),
    )
  })

  it.each<[string, (username: string) => Promise<unknown>, readonly string[]]>([
    ['user disabled', (username) => disableUser(username, deps), ['online', 'offline']],
    ['password reset', (username) => resetPassword({ username, everywhere: true }, deps), ['online', 'offline']],
    ['password reset', (username) => resetPassword({ username }, deps), ['online']],
    ['one-time codes given', (username) => renewTotp(username, deps), ['online']],
  ])('lose apps by a command, and the audit trail says which: %s', async (reason, command, lost) => {
    const username = `loser-${losers++}`
    const { password } = await addUser({ ...person, username, fhirUser: `Practitioner/${username}` }, deps)
    const browser = auth.browser()
    await browser.signIn(username, password)
    const app = new SmartApp(auth)
    const granted = {
      online: decodeJwt((await app.tokens({ scope: 'openid' }, browser)).access_token)['gid'],
      offline: decodeJwt((await app.tokens({ scope: 'openid offline_access' }, browser)).access_token)['gid'],
    }
    await command(username)
    const rows = await auth.database.many<{ grantId: string }>(sql`
      select grant_id as "grantId", client_id as "clientId", reason from auth.audit_events
      where event = 'grant revoked' and subject = ${username}`)
    const expected = Object.entries(granted)
      .filter(([kind]) => lost.includes(kind))
      .map(([, grantId]) => ({ grantId, clientId: 'demo-app', reason }))
    expect(rows).toHaveLength(expected.length)
    expect(rows).toEqual(expect.arrayContaining(expected))
  })

  it('get an address for their authenticator app when they want one', async () => {
    const made = await addUser({ ...person, username: 'careful', fhirUser: 'Practitioner/dr-c', totp: true }, deps)
    expect(made.totpAddress).toMatch(/^otpauth:\/\/totp\/Corridor:careful\?secret=[A-Z2-7]{32}&issuer=Corridor$/)
  })

  it('are given one-time codes, and other ones, when they have an account already; every login before ends', async () => {
    const { password } = await addUser({ ...person, username: 'later', fhirUser: 'Practitioner/dr-later' }, deps)
    const browser = auth.browser()
    await browser.signIn('later', password)
    const secretOf = (address = '') => new URL(address).searchParams.get('secret') ?? ''
    const signIn = async (secret: string, from = auth.browser()) => {
      const totp = codeAt(Math.floor(Date.now() / 1_000 / stepSeconds), secret)
      return (await from.signIn('later', password, { totp })).headers.get('location')
    }
    const first = secretOf((await renewTotp('later', deps)).totpAddress)
    expect((await browser.get('/portal')).headers.get('location')).toBe('/login')
    expect((await auth.browser().signIn('later', password)).headers.get('location')).toBe('/login?error')
    expect(await signIn(first, browser)).toBe('/portal')

    // In the same half minute: the step that was taken was one of the code before.
    const second = secretOf((await renewTotp('LATER', deps)).totpAddress)
    expect((await browser.get('/portal')).headers.get('location')).toBe('/login')
    expect([await signIn(first), await signIn(second)]).toEqual(['/login?error', '/portal'])

    await takeTotpAway('later', deps)
    expect((await auth.browser().signIn('later', password)).headers.get('location')).toBe('/portal')
    const events = await auth.database.many<{ reason: string }>(
      sql`select reason from auth.audit_events where username = 'later' and reason like 'one-time%' order by at`,
    )
    expect(events.map(({ reason }) => reason)).toEqual([
      'one-time codes given',
      'one-time codes given',
      'one-time codes taken away',
    ])
  })

  it.each(['nobody', 'clinician'])('that were not added here (%s) are given no one-time codes here', async (name) => {
    const why = `There is no active user ${name} that was added here`
    await expect(renewTotp(name, deps)).rejects.toThrow(why)
    await expect(takeTotpAway(name, deps)).rejects.toThrow(why)
  })

  it.each([
    [{ ...person, username: 'a b' }, /username must be/],
    [{ ...person, username: 'x', password: 'short' }, /at least 12 characters/],
    [{ ...person, username: 'x', roles: ['SYSTEM'] }, /roles must be some of/],
    [{ ...person, username: 'x', fhirUser: 'Device/1' }, /fhirUser must be/],
    [{ ...person, username: 'x', organisation: 'central' }, /organisation must be/],
    [{ ...person, username: 'clinician', fhirUser: 'Practitioner/dr-x' }, /already: `corridor users list`/],
    [{ ...person, username: 'x', fhirUser: 'Practitioner/svc-bridge' }, /a client has the id svc-bridge/],
    [{ ...person, username: 'x', fhirUser: 'Practitioner/dr-amara' }, /dr-amara has the account clinician already/],
  ])('cannot be added as %o', async (options, why) => {
    await expect(addUser(options, deps)).rejects.toThrow(why)
  })

  it('of the configuration or the demo cannot be reset here', async () => {
    await expect(resetPassword({ username: 'clinician' }, deps)).rejects.toThrow(/changed in the configuration/)
  })
})

it('nobody and nothing is added where that cannot be audited', async () => {
  await auth.database.run(sql`
    alter table auth.audit_events add constraint full_up check (reason not in ('user added', 'client added')) not valid`)
  await expect(addUser({ ...person, username: 'unseen', fhirUser: 'Practitioner/dr-u' }, deps)).rejects.toThrow(
    'full_up',
  )
  await expect(addClient({ ...service, clientId: 'unseen-system' }, deps)).rejects.toThrow('full_up')
  await auth.database.run(sql`alter table auth.audit_events drop constraint full_up`)
  expect((await describeUsers(deps)).map(({ username }) => username)).not.toContain('unseen')
  expect((await describeClients(deps)).map(({ clientId }) => clientId)).not.toContain('unseen-system')
})

describe.each(['that has others', 'without anybody'])(
  'of what is added at the same moment to a register %s',
  (which) => {
    const twins = ['twin-a', 'twin-b'].map((username) => ({ ...person, username, fhirUser: 'Patient/one' }))
    const subject = { ...person, username: 'of-one-id', fhirUser: 'Patient/one-id', roles: ['PATIENT'] }
    type Adds = (to: CliDeps) => Promise<unknown>
    it.each<[string, Adds[]]>([
      [
        'a client and a person of one id',
        [(to) => addClient({ ...service, clientId: 'one-id' }, to), (to) => addUser(subject, to)],
      ],
      ['two accounts of one person', twins.map((one) => (to) => addUser(one, to))],
    ])('%s: one is there, and the other is told why not', async (_what, adds) => {
      await using empty = which === 'without anybody' ? await startTestAuth() : undefined
      await empty?.database.run(sql`truncate auth.users cascade`)
      const { database } = empty ?? auth
      const to = empty === undefined ? deps : cliDepsOf(empty)
      const { adding } = await database.transaction(async (tx) => {
        await tx.run(sql`lock table auth.audit_events in share mode`)
        const both = Promise.allSettled(adds.map((add) => add(to)))
        const areHeldUp = async () => {
          const waiting = await database.many(sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
          return waiting.length === 2
        }
        await waitFor(areHeldUp, { what: 'both to have looked who is there' })
        return { adding: both }
      })
      const ends = await adding
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'REGISTRATION_REFUSED', message: expect.stringContaining('one') },
      })
    })
  },
)

describe('keys', () => {
  it('rotate with an overlap, at once when need be, and can be withdrawn', async () => {
    const keyDeps = { ...deps, signingKeys: auth.signingKeys }
    const next = await rotateKeys({}, keyDeps)
    expect(listKeys(keyDeps).map(({ state }) => state)).toEqual(['current', 'next'])
    const stolen = listKeys(keyDeps)[0]?.kid ?? ''
    await rotateKeys({ immediately: true }, keyDeps)
    await removeKey(stolen, keyDeps)
    expect(listKeys(keyDeps).map(({ kid }) => kid)).not.toContain(stolen)
    expect(next.state).toBe('next')
  })
})

describe('after a restore', () => {
  it('everybody is signed out, apps lose what they were granted, and who did it stands in the audit trail', async () => {
    await using restored = await startTestAuth()
    const commands = { ...deps, ...restored.deps }
    const app = new SmartApp(restored)
    const browsers = [restored.browser(), restored.browser()]
    const refreshTokens: string[] = []
    for (const [at, browser] of browsers.entries()) {
      const named = { username: `restored-${at}`, fhirUser: `Practitioner/dr-r${at}`, roles: ['CLINICIAN'] }
      const { password } = await addUser(named, commands)
      await browser.signIn(named.username, password)
      refreshTokens.push((await app.tokens({ scope: 'openid offline_access' }, browser)).refresh_token)
    }
    expect(await endLogins(commands)).toEqual({ logins: 2, grants: 2 })
    for (const browser of browsers) expect((await browser.get('/portal')).status).toBe(302)
    for (const token of refreshTokens) expect((await app.refresh(token)).status).toBe(400)
    const events = await restored.database.many<{ event: string }>(sql`
      select event from auth.audit_events where reason = 'every login ended' and operator = 'os:tester' order by event`)
    expect(events.map(({ event }) => event)).toEqual(['grant revoked', 'grant revoked', 'logout'])
    expect(await endLogins(commands)).toEqual({ logins: 0, grants: 0 })
  })
})
