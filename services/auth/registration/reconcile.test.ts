import { writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { disableClient, enableClient } from '../cli/clients.ts'
import type { CliDeps } from '../cli/cli-deps.ts'
import { disableUser, enableUser } from '../cli/users.ts'
import { demoPasswordHash, demoSecretHash } from '../secrets/demo-hashes.ts'
import { codeAt, stepSeconds } from '../secrets/totp.ts'
import { disableClients, listClients } from '../store/clients.ts'
import { disableUsers, listUsers } from '../store/users.ts'
import { basic, redirectUri, SmartApp, type Tokens } from '../testing/smart-app.ts'
import { startTestAuth, type TestAuth, type TestAuthOptions } from '../testing/test-auth.tsx'
import type { TestBrowser } from '../testing/test-browser.ts'

let auth: TestAuth
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corridor-secrets-'))
  await writeFile(join(folder, 'secret'), `${'s'.repeat(40)}\n`)
  await writeFile(join(folder, 'short'), 'demo\n')
  await writeFile(join(folder, 'password'), 'correct horse battery\n')
  auth = await startTestAuth({ mode: 'production', ...declared() })
})
afterAll(async () => {
  await auth?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

function declared(): Pick<TestAuthOptions, 'clients' | 'users'> {
  const service = {
    grantTypes: ['client_credentials'],
    authMethods: ['client_secret_basic'],
    clientSecretFile: join(folder, 'secret'),
    scope: 'system/*.rs',
  }
  return {
    clients: [
      { ...service, clientId: 'lab' },
      { ...service, clientId: 'pharmacy' },
    ],
    users: [
      {
        username: 'Ada',
        fhirUser: 'Practitioner/ada',
        roles: ['CLINICIAN'],
        passwordFile: join(folder, 'password'),
      },
    ],
  }
}

function fileOf(text: string): string {
  const file = join(folder, `totp-${text.length}-${text.slice(-1)}`)
  writeFileSync(file, `${text}\n`)
  return file
}

/** A hash of nobody's password, at this cost. */
const hashAt = (kilobytes: number, passes: number) =>
  demoPasswordHash.replace('m=19456,t=2', `m=${kilobytes},t=${passes}`)

/** Anybody can compute its codes: zeros at the end of an HMAC's key change nothing, so it is as good as empty. */
const noKey = 'A'.repeat(16)

const asService = { grant_type: 'client_credentials' }

const cliDeps = ({ deps }: TestAuth): CliDeps => ({
  ...deps,
  ...{ mode: 'production', auditToFhir: false, allowsLoopbackKeySets: false, operator: 'os:tester' },
})

const disabledEvents = ({ captured }: TestAuth) =>
  captured.events().flatMap(({ event }) => (event.includes('disabled') ? [event] : []))

const again = (options: TestAuthOptions) =>
  startTestAuth({ mode: 'production', databaseUrl: auth.databaseUrl, ...options })

describe('what the configuration declares', () => {
  it('is there after the start, and no demo account is', async () => {
    expect((await listClients(auth.database)).map(({ clientId }) => clientId)).toEqual(['lab', 'pharmacy'])
    expect((await auth.browser().signIn('ada', 'correct horse battery')).status).toBe(303)
    const authorization = basic('lab', 's'.repeat(40))
    const response = await new SmartApp(auth).token({ grant_type: 'client_credentials' }, { authorization })
    expect(response.status).toBe(200)
    expect((await auth.browser().signIn('clinician', 'demo')).headers.get('location')).toBe('/login?error')
  })

  it('stays as it is at the next start, password hash included', async () => {
    const before = await listUsers(auth.database)
    await using copy = await again(declared())
    expect(await listUsers(copy.database)).toEqual(before)
  })

  it('is disabled when it is no longer declared, and comes back when it is', async () => {
    const browser = auth.browser()
    await browser.signIn('ada', 'correct horse battery')
    const tokenOf = async (clientId: string, server = auth) => {
      const headers = { authorization: basic(clientId, 's'.repeat(40)) }
      const response = await new SmartApp(server).token({ grant_type: 'client_credentials' }, headers)
      return ((await response.json()) as Tokens).access_token
    }
    const isAlive = (token: string, server = auth) =>
      server.deps.accessTokens.verify(token).then(
        () => true,
        () => false,
      )
    const [ofLab, ofPharmacy] = [await tokenOf('lab'), await tokenOf('pharmacy')]
    await using without = await again({ clients: declared().clients?.slice(0, 1) ?? [], users: [] })
    const statusOf = async () => (await listClients(without.database)).map(({ clientId, status }) => [clientId, status])
    expect(await statusOf()).toEqual([
      ['lab', 'active'],
      ['pharmacy', 'disabled'],
    ])
    expect((await browser.get('/portal')).status).toBe(302)
    expect([await isAlive(ofLab), await isAlive(ofPharmacy)]).toEqual([true, false])
    await using back = await again(declared())
    expect([await isAlive(ofPharmacy), await isAlive(await tokenOf('pharmacy', back), back)]).toEqual([false, true])
    expect((await back.browser().signIn('ada', 'correct horse battery')).status).toBe(303)
  })

  it('stays disabled where a command disabled it, and the log says so, until a command brings it back', async () => {
    await using first = await startTestAuth({ mode: 'production', ...declared() })
    const cli = cliDeps(first)
    await disableUser('ADA', cli)
    await disableClient('lab', cli)
    const next = () => startTestAuth({ mode: 'production', databaseUrl: first.databaseUrl, ...declared() })
    const doors = async (server: TestAuth) => [
      (await server.browser().signIn('ada', 'correct horse battery')).headers.get('location'),
      (await new SmartApp(server).token(asService, { authorization: basic('lab', 's'.repeat(40)) })).status,
      (await new SmartApp(server).token(asService, { authorization: basic('pharmacy', 's'.repeat(40)) })).status,
    ]
    await using second = await next()
    expect(await doors(second)).toEqual(['/login?error', 401, 200])
    expect(disabledEvents(second)).toEqual([
      'declared users stay disabled: a command disabled them; `corridor users enable` brings them back',
      'a declared client stays disabled: a command disabled it; `corridor clients enable` brings it back',
    ])
    await using _without = await again({ clients: [], users: [], databaseUrl: first.databaseUrl })
    await expect(enableUser('ada', cli), 'declared no more').rejects.toThrow('There is no declared user ada')
    await expect(enableClient('lab', cli), 'declared no more').rejects.toThrow('There is no declared client lab')
    await using third = await next()
    expect(await doors(third)).toEqual(['/login?error', 401, 200])
    await enableUser('Ada', cli)
    await enableClient('lab', cli)
    expect(await doors(third)).toEqual(['/portal', 200, 200])
    await expect(enableUser('ada', cli)).rejects.toThrow('There is no declared user ada whom a command disabled')
    await expect(enableClient('lab', cli)).rejects.toThrow('There is no declared client lab that a command disabled')
    await using fourth = await next()
    expect(await doors(fourth)).toEqual(['/portal', 200, 200])
    expect(disabledEvents(fourth)).toEqual([])
  })

  it('A26: ends every login and online app of a person whose password is another, and leaves offline ones', async () => {
    const [ada] = declared().users ?? []
    const reader = { clientId: 'reader', redirectUris: [redirectUri], scope: 'openid offline_access' }
    const clients = [...(declared().clients ?? []), reader]
    await using before = await again({ ...declared(), clients })
    const browser = before.browser()
    await browser.signIn('ada', 'correct horse battery')
    const app = new SmartApp(before, 'reader')
    const online = await app.tokens({ scope: 'openid' }, browser)
    const offline = await app.tokens({ scope: 'openid offline_access' }, browser)
    const statusOf = async (token: string) => (await app.refresh(token)).status

    await using same = await again({ ...declared(), clients })
    expect((await browser.get('/portal')).status).toBe(200)
    await writeFile(join(folder, 'changed'), 'another horse battery\n')
    await using changed = await again({ clients, users: [{ ...ada, passwordFile: join(folder, 'changed') }] })
    expect((await browser.get('/portal')).status).toBe(302)
    expect(await statusOf(online.refresh_token)).toBe(400)
    expect(await statusOf(offline.refresh_token)).toBe(200)
    expect((await changed.browser().signIn('ada', 'another horse battery')).status).toBe(303)
    expect((await same.browser().signIn('ada', 'correct horse battery')).status).toBe(302)
    await using back = await again(declared())
    expect((await back.browser().signIn('ada', 'correct horse battery')).status).toBe(303)
  })

  it('ends everything that an account has when it is corrected to another person', async () => {
    const reader = {
      clientId: 'reader',
      redirectUris: [redirectUri],
      scope: 'openid offline_access launch/patient patient/*.rs',
    }
    const pat = { ...declared().users?.[0], username: 'pat', roles: ['PATIENT'] }
    const usersAs = (fhirUser: string) => ({ clients: [reader], users: [{ ...pat, fhirUser }] })
    await using wrong = await startTestAuth({ mode: 'production', ...usersAs('Patient/kofi-mensah') })
    const browser = wrong.browser()
    await browser.signIn('pat', 'correct horse battery')
    const app = new SmartApp(wrong, 'reader')
    const tokens = await app.tokens({ scope: reader.scope }, browser)
    const code = await app.code({ scope: reader.scope }, browser)
    expect(tokens.patient).toBe('kofi-mensah')

    const { databaseUrl } = wrong
    await using right = await startTestAuth({ mode: 'production', databaseUrl, ...usersAs('Patient/amina-diallo') })
    expect((await app.refresh(tokens.refresh_token)).status).toBe(400)
    expect((await app.exchange(code)).status).toBe(400)
    await expect(wrong.deps.accessTokens.verify(tokens.access_token)).rejects.toThrow(/revoked/)
    expect((await browser.get('/account/apps')).status).toBe(302)
    const corrected = right.browser()
    await corrected.signIn('pat', 'correct horse battery')
    const fresh = await new SmartApp(right, 'reader').tokens({ scope: reader.scope }, corrected)
    expect(fresh.patient).toBe('amina-diallo')
  })

  it('ends everything that staff let in who are only relatives from now on, and nothing of others who lose a role', async () => {
    const reader = { clientId: 'reader', redirectUris: [redirectUri], scope: 'openid launch/patient patient/*.rs' }
    const declaredAs = (fhirUser: string, roles: string[]) => ({
      clients: [reader],
      users: [{ ...declared().users?.[0], username: 'aunt', fhirUser, roles }],
    })
    const after = async (fhirUser: string, roles: string[]) => {
      await using before = await startTestAuth({ mode: 'production', ...declaredAs(fhirUser, ['CLINICIAN']) })
      const browser = before.browser()
      await browser.signIn('aunt', 'correct horse battery')
      const app = new SmartApp(before, 'reader')
      const code = await app.codeFor('kofi-mensah', { scope: reader.scope }, browser)
      const tokens = (await (await app.exchange(code)).json()) as Tokens
      expect(tokens.patient).toBe('kofi-mensah')
      const { databaseUrl } = before
      await using _next = await startTestAuth({ mode: 'production', databaseUrl, ...declaredAs(fhirUser, roles) })
      return (await app.refresh(tokens.refresh_token)).status
    }
    expect(await after('RelatedPerson/aunt', ['PATIENT'])).toBe(400)
    expect(await after('RelatedPerson/aunt', ['ADMIN'])).toBe(200)
    expect(await after('Practitioner/aunt', ['PATIENT'])).toBe(200)
  })

  it('ends logins that were without a second factor, or with another, and leaves those with the same', async () => {
    await using before = await startTestAuth({ mode: 'production', ...declared() })
    const [ada] = declared().users ?? []
    const start = (secret: string) =>
      startTestAuth({
        ...{ mode: 'production', databaseUrl: before.databaseUrl, ...declared() },
        users: [{ ...ada, totpSecretFile: fileOf(secret) }],
        // Secrets are sealed with a key that all copies share.
        section: { totp: true, keyDirectory: before.section.keyDirectory },
      })
    const isSignedIn = async (browser: TestBrowser) => (await browser.get('/portal')).status === 200
    const first = 'JBSWY3DPEHPK3PXP'
    const step = Math.floor(Date.now() / 1_000 / stepSeconds)
    const without = before.browser()
    await without.signIn('ada', 'correct horse battery')
    expect(await isSignedIn(without)).toBe(true)

    await using given = await start(first)
    expect(await isSignedIn(without)).toBe(false)
    const withCode = given.browser()
    await withCode.signIn('ada', 'correct horse battery', { totp: codeAt(step, first) })
    expect(await isSignedIn(withCode)).toBe(true)

    await using _same = await start(first)
    expect(await isSignedIn(withCode)).toBe(true)
    await using _other = await start('KRSXG5CTMVRXEZLU')
    expect(await isSignedIn(withCode)).toBe(false)
  })

  it('takes the secret of one-time codes as services print it: in small letters, in groups, padded', async () => {
    const [ada] = declared().users ?? []
    const totpSecretFile = fileOf('jbsw y3dp-ehpk 3pxp====')
    await using server = await again({ ...declared(), users: [{ ...ada, totpSecretFile }], section: { totp: true } })
    const step = Math.floor(Date.now() / 1_000 / stepSeconds)
    const signIn = (totp: string) => server.browser().signIn('ada', 'correct horse battery', { totp })
    expect((await signIn(codeAt(step, noKey))).status).toBe(302)
    expect((await signIn(codeAt(step, 'JBSWY3DPEHPK3PXP'))).status).toBe(303)
    await using back = await again(declared())
    expect((await back.browser().signIn('ada', 'correct horse battery')).status).toBe(303)
  })

  it('has somebody say so whose codes the login page does not ask for', async () => {
    const [ada] = declared().users ?? []
    const users = [{ ...ada, totpSecretFile: fileOf('JBSWY3DPEHPK3PXP') }]
    const event = 'users cannot sign in: the login page does not ask for their codes; set auth.totp to true'
    await using asking = await again({ ...declared(), users, section: { totp: true } })
    expect(asking.captured.events(event)).toEqual([])
    await using silent = await again({ ...declared(), users })
    expect(silent.captured.events(event)).toEqual([expect.objectContaining({ level: 'warn', count: 1 })])
    await using back = await again(declared())
    expect(back.captured.events(event)).toEqual([])
  })

  it('keeps the account of a person who is declared under another name', async () => {
    const [ada] = declared().users ?? []
    const [before] = await listUsers(auth.database)
    await using renamed = await again({ ...declared(), users: [{ ...ada, username: 'Ada.Lovelace' }] })
    expect(await listUsers(renamed.database)).toEqual([
      { ...before, username: 'ada.lovelace', displayName: 'Ada.Lovelace' },
    ])
    expect((await renamed.browser().signIn('ada.lovelace', 'correct horse battery')).status).toBe(303)
    await using back = await again(declared())
    expect(await listUsers(back.database)).toEqual([before])
  })

  it.each<[string, () => Pick<TestAuthOptions, 'clients' | 'users'>, RegExp]>([
    [
      'a short secret',
      () => ({ clients: [{ ...declared().clients?.[0], clientSecretFile: join(folder, 'short') }] }),
      /too short/,
    ],
    [
      'a missing file',
      () => ({ clients: [{ ...declared().clients?.[0], clientSecretFile: join(folder, 'no') }] }),
      /cannot be read/,
    ],
    [
      'a client twice',
      () => ({ clients: [...(declared().clients ?? []), ...(declared().clients ?? [])] }),
      /lab is declared twice/,
    ],
    [
      'a person twice',
      () => ({ users: ['Ada', 'Countess'].map((username) => ({ ...declared().users?.[0], username })) }),
      /ada is declared twice/,
    ],
    [
      'a short password',
      () => ({ users: [{ ...declared().users?.[0], passwordFile: join(folder, 'short') }] }),
      /at least 12 characters/,
    ],
    [
      'the password of the demo',
      () => ({ users: [{ ...declared().users?.[0], passwordFile: undefined, passwordHash: demoPasswordHash }] }),
      /the demo's, whose password everybody knows/,
    ],
    ...(
      [
        ['a password hash that is cheap to guess at', hashAt(32, 1), /cheap to guess at; make another with/],
        ['a password hash of no pass', hashAt(19_456, 0), /must be argon2id in the PHC form/],
        ['a password hash that takes the memory of the machine', hashAt(9_999_999, 2), /1 GiB or less/],
      ] as const
    ).map(
      ([what, passwordHash, why]) =>
        [what, () => ({ users: [{ ...declared().users?.[0], passwordFile: undefined, passwordHash }] }), why] as [
          string,
          () => Pick<TestAuthOptions, 'clients' | 'users'>,
          RegExp,
        ],
    ),
    [
      'the secret of the demo',
      () => ({
        clients: [{ ...declared().clients?.[0], clientSecretFile: undefined, clientSecretHash: demoSecretHash }],
      }),
      /the demo's, whose secret everybody knows/,
    ],
    [
      'no password',
      () => ({ users: [{ ...declared().users?.[0], passwordFile: undefined }] }),
      /passwordHash or passwordFile/,
    ],
    ...(
      [
        ['an empty secret of one-time codes', ''],
        ['a short secret of one-time codes', 'JBSWY3DPEHPK3PX'],
        ['a secret of one-time codes that is not base32', 'JBSWY3DPEHPK3PX1'],
      ] as const
    ).map(
      ([what, secret]) =>
        [
          what,
          () => ({ users: [{ ...declared().users?.[0], totpSecretFile: fileOf(secret) }] }),
          /The user Ada cannot be registered: totpSecretFile must hold base32, 16 characters/,
        ] as [string, () => Pick<TestAuthOptions, 'clients' | 'users'>, RegExp],
    ),
    ['jwks that is no JSON', () => ({ clients: [{ clientId: 'x', jwks: '{' }] }), /jwks is not JSON/],
  ])('stops the start with %s', async (_what, wrong, why) => {
    await expect(again(wrong())).rejects.toThrow(why)
  })
})

describe('a mode', () => {
  it('production does not start on a database that has demo accounts', async () => {
    await using demo = await startTestAuth()
    await expect(startTestAuth({ mode: 'production', databaseUrl: demo.databaseUrl })).rejects.toThrow(
      /demo accounts, whose passwords everybody knows: admin, clinician/,
    )
  })

  it('demo does not start on a database of production, and leaves nothing there', async () => {
    await using production = await startTestAuth({ mode: 'production', ...declared() })
    const namesOf = async () => [...(await listUsers(production.database)), ...(await listClients(production.database))]
    const before = await namesOf()
    await expect(startTestAuth({ databaseUrl: production.databaseUrl })).rejects.toThrow(
      /accounts and no demo account, as one of production does: ada, lab, pharmacy\. /,
    )
    expect(await namesOf()).toEqual(before)
    await using _again = await startTestAuth({ mode: 'production', databaseUrl: production.databaseUrl, ...declared() })
  })

  it('demo does not bring its accounts back where they were disabled for production', async () => {
    await using demo = await startTestAuth()
    const users = (await listUsers(demo.database)).map(({ username }) => username)
    const clients = (await listClients(demo.database)).map(({ clientId }) => clientId)
    await disableUsers(users, 'command', new Date(), demo.database)
    await disableClients(clients, 'command', new Date(), demo.database)
    await using _production = await startTestAuth({ mode: 'production', databaseUrl: demo.databaseUrl, ...declared() })
    await expect(startTestAuth({ databaseUrl: demo.databaseUrl })).rejects.toThrow(/as one of production does/)
  })

  it('production gets no demo account back by a command', async () => {
    await using demo = await startTestAuth()
    const cli = cliDeps(demo)
    await disableUser('clinician', cli)
    await disableClient('svc-bridge', cli)
    await expect(enableUser('clinician', { ...cli, mode: 'production' })).rejects.toThrow('There is no declared user')
    await expect(enableClient('svc-bridge', { ...cli, mode: 'production' })).rejects.toThrow('There is no declared')
    await enableUser('clinician', { ...cli, mode: 'demo' })
    expect((await demo.browser().signIn()).status).toBe(303)
  })

  it('demo starts again on its own database, whatever was added to it', async () => {
    await using demo = await startTestAuth(declared())
    await using next = await startTestAuth({ databaseUrl: demo.databaseUrl, ...declared() })
    expect((await next.browser().signIn('clinician', 'demo')).status).toBe(303)
  })
})

describe('a start that is refused', () => {
  it('has changed nothing: neither those before the mistake nor those behind it', async () => {
    await using other = await startTestAuth({ mode: 'production', ...declared() })
    const [ada] = declared().users ?? []
    const users = [
      { ...ada, username: 'Grace', fhirUser: 'Practitioner/grace' },
      { ...ada, username: 'Lab', fhirUser: 'Practitioner/lab' },
    ]
    const start = startTestAuth({
      mode: 'production',
      databaseUrl: other.databaseUrl,
      clients: declared().clients ?? [],
      users,
    })
    await expect(start).rejects.toThrow('The user Lab cannot be registered: a client has the id lab.')
    expect((await listUsers(other.database)).map(({ username, status }) => [username, status])).toEqual([
      ['ada', 'active'],
    ])
  })
})
