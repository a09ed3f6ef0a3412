import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { addClient, disableClient, enableClient } from '../cli/clients.ts'
import type { CliDeps } from '../cli/cli-deps.ts'
import { disableUser } from '../cli/users.ts'
import { answerOf, basic, launchToken, redirectUri, SmartApp, type Tokens } from '../testing/smart-app.ts'
import { startTestAuth, type TestAuth, type TestAuthOptions } from '../testing/test-auth.tsx'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corridor-told-'))
  await writeFile(join(folder, 'password'), `${password}\n`)
  await writeFile(join(folder, 'codes'), 'JBSWY3DPEHPK3PXP\n')
  for (const letter of ['s', 't']) await writeFile(join(folder, letter), `${letter.repeat(40)}\n`)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const password = 'correct horse battery'
const secrets = { s: 's'.repeat(40), t: 't'.repeat(40) }

type Declared = Pick<TestAuthOptions, 'clients' | 'users' | 'section'>
type DeclaredUser = NonNullable<Declared['users']>[number]
type DeclaredClient = NonNullable<Declared['clients']>[number]

const ada = (more: DeclaredUser = {}): DeclaredUser => ({
  ...{ username: 'Ada', fhirUser: 'Practitioner/ada', roles: ['CLINICIAN'], passwordFile: join(folder, 'password') },
  ...more,
})

const lab = (more: DeclaredClient = {}): DeclaredClient => ({
  ...{ clientId: 'lab', grantTypes: ['client_credentials'], authMethods: ['client_secret_basic'] },
  ...{ clientSecretFile: join(folder, 's'), scope: 'system/*.rs', ...more },
})

const start = (declared: Declared, databaseUrl?: string) =>
  startTestAuth({ mode: 'production', ...declared, ...(databaseUrl === undefined ? {} : { databaseUrl }) })

/** Whose account was changed, and how. */
async function changes({ database }: TestAuth): Promise<string[]> {
  const rows = await database.many<{ told: string }>(sql`
    select concat(username, client_id, ': ', reason) as told from auth.audit_events
    where event = 'account changed' order by at, told`)
  return rows.map(({ told }) => told)
}

const lost = ({ database }: TestAuth) =>
  database.many(sql`
    select subject, client_id as "clientId", grant_id as "grantId", reason from auth.audit_events
    where event = 'grant revoked' order by at, id`)

async function serviceToken(server: TestAuth, secret: string): Promise<string> {
  const headers = { authorization: basic('lab', secret) }
  const response = await new SmartApp(server).token({ grant_type: 'client_credentials' }, headers)
  return ((await response.json()) as Tokens).access_token
}

const isAlive = (token: string, { deps }: TestAuth) =>
  deps.accessTokens.verify(token).then(
    () => true,
    () => false,
  )

const cliDeps = ({ deps }: TestAuth): CliDeps => ({
  ...deps,
  ...{ mode: 'production', auditToFhir: false, allowsLoopbackKeySets: false, operator: 'os:tester' },
})

describe('the audit trail says of a start', () => {
  it('what it added, changed, disabled and brought back, and nothing where nothing is another', async () => {
    await using first = await start({ users: [ada()], clients: [lab()] })
    const seen: string[] = []
    const fresh = async () => {
      const all = await changes(first)
      return all.slice(seen.splice(0, seen.length, ...all).length)
    }
    const next = async (declared: Declared) => {
      await using _server = await start(declared, first.databaseUrl)
      return fresh()
    }
    expect(await fresh()).toEqual(['ada: user added', 'lab: client added'])
    expect(await next({ users: [ada()], clients: [lab()] })).toEqual([])

    const roles = ['CLINICIAN', 'ADMIN']
    const changed = { users: [ada({ roles, displayName: 'A. L.' })], clients: [lab({ scope: 'system/Patient.rs' })] }
    expect(await next(changed)).toEqual(['ada: user changed: displayName, roles', 'lab: client changed: scope'])
    expect(await next(changed)).toEqual([])
    expect(await next({})).toEqual(['ada: user disabled', 'lab: client disabled'])
    expect(await next({})).toEqual([])
    expect(await next(changed)).toEqual(['ada: user enabled', 'lab: client enabled'])
    const renamed = { ...changed, users: [ada({ roles, displayName: 'A. L.', username: 'countess' })] }
    expect(await next(renamed)).toEqual(['countess: user changed: username'])
    expect(await next(renamed)).toEqual([])
  })

  it('that it took what a command had disabled, and does not say that it is back', async () => {
    const declared = { users: [ada()], clients: [lab()] }
    await using first = await start(declared)
    await disableUser('ada', cliDeps(first))
    await disableClient('lab', cliDeps(first))
    const before = (await changes(first)).length
    await using _same = await start(declared, first.databaseUrl)
    expect((await changes(first)).slice(before)).toEqual([])
    await using _gone = await start({}, first.databaseUrl)
    await using _stillGone = await start({}, first.databaseUrl)
    const taken = ['ada: user changed: roles', 'lab: client changed: grantTypes']
    expect((await changes(first)).slice(before)).toEqual(taken)
    const operators = await first.database.many<{ operator: string }>(
      sql`select distinct operator from auth.audit_events where event = 'account changed' order by operator`,
    )
    expect(operators.map(({ operator }) => operator)).toEqual(['configuration', 'os:tester'])
  })

  it('that codes were given and taken away, however they are sealed', async () => {
    await using first = await start({ users: [ada()] })
    const section = { totp: true, keyDirectory: first.section.keyDirectory }
    const users = [ada({ totpSecretFile: join(folder, 'codes') })]
    await using _given = await start({ users, section }, first.databaseUrl)
    await using _same = await start({ users, section }, first.databaseUrl)
    await using _taken = await start({ users: [ada()], section }, first.databaseUrl)
    const told = 'ada: user changed: one-time codes'
    expect(await changes(first)).toEqual(['ada: user added', told, told])
  })

  it('once what two copies change that start together, whichever of them does it', async () => {
    await using first = await start({ users: [ada()], clients: [lab()] })
    const token = await serviceToken(first, secrets.s)
    await writeFile(join(folder, 'another'), 'another horse battery\n')
    const other = {
      users: [ada({ passwordFile: join(folder, 'another') })],
      clients: [lab({ clientSecretFile: join(folder, 't') })],
    }
    let copies: Promise<TestAuth>[] = []
    // Both have looked at the account as it was before either can write.
    await first.database.transaction(async (tx) => {
      await tx.run(sql`select from auth.users for update`)
      copies = [start(other, first.databaseUrl), start(other, first.databaseUrl)]
      const waiting = async () => {
        const { count } = await first.database.one<{ count: number }>(sql`
          select count(*)::integer as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`)
        return count === 2 ? true : undefined
      }
      await waitFor(waiting, { what: 'both copies at the door' })
    })
    await using ended = new AsyncDisposableStack()
    for (const copy of await Promise.all(copies)) ended.use(copy)
    expect(await changes(first)).toEqual([
      ...['ada: user added', 'lab: client added'],
      ...['ada: user changed: password', 'lab: client changed: secret'],
    ])
    expect(await lost(first)).toEqual([
      { subject: null, clientId: 'lab', grantId: decodeJwt(token)['gid'], reason: 'declared otherwise than before' },
    ])
    expect((await first.browser().signIn('ada', 'another horse battery')).status).toBe(303)
  })

  it('what people and apps lost by it, as that of whom it was', async () => {
    const reader = { clientId: 'reader', redirectUris: [redirectUri], scope: 'openid offline_access' }
    const pat = (fhirUser: string) => [ada({ username: 'pat', fhirUser, roles: ['PATIENT'] })]
    await using first = await start({ users: pat('Patient/kofi-mensah'), clients: [reader] })
    const granted = async () => {
      const browser = first.browser()
      await browser.signIn('pat', password)
      const tokens = await new SmartApp(first, 'reader').tokens({ scope: 'openid offline_access' }, browser)
      return { clientId: 'reader', grantId: decodeJwt(tokens.access_token)['gid'] }
    }
    const ofKofi = await granted()
    await using _another = await start({ users: pat('Patient/amina-diallo'), clients: [reader] }, first.databaseUrl)
    const ofAmina = await granted()
    await using _withoutApp = await start({ users: pat('Patient/amina-diallo') }, first.databaseUrl)
    expect(await lost(first)).toEqual([
      { ...ofKofi, subject: 'kofi-mensah', reason: 'declared otherwise than before' },
      { ...ofAmina, subject: 'amina-diallo', reason: 'no longer declared' },
    ])
  })
})

describe('an account that is given to another person', () => {
  it('has none of the launches, patients and choices of the person before', async () => {
    const scope = 'openid launch launch/patient patient/*.rs'
    const launchUri = 'http://localhost:3000/launch'
    const clients = [{ clientId: 'demo-app', redirectUris: [redirectUri], launchUri, scope }]
    await using first = await start({ users: [ada()], clients })
    const browser = first.browser()
    await browser.signIn('ada', password)
    const app = new SmartApp(first)
    const launch = await launchToken(browser)
    const asked = await app.authorize(browser, { scope: 'launch/patient openid patient/*.rs' })
    const request = answerOf(asked).get('request') ?? ''
    await browser.post('/oauth2/authorize/patient', { request, patientId: 'kofi-mensah' })
    expect(await (await browser.get('/portal')).text()).toContain('Recent patients')

    await using _next = await start({ users: [ada({ fhirUser: 'Practitioner/grace' })], clients }, first.databaseUrl)
    await browser.signIn('ada', password)
    expect(await (await browser.get('/portal')).text()).not.toContain('Recent patients')
    expect((await app.authorize(browser, { launch, scope: 'launch openid' })).status).toBe(401)
    const resumed = await browser.get(`/oauth2/authorize/resume?request=${request}`)
    expect([resumed.status, resumed.headers.get('location')]).toEqual([400, null])
  })

  it('shows the FHIR store who has it now, at once', async () => {
    await using first = await start({ users: [ada()] })
    const subjectAfterLogin = async () => {
      const browser = first.browser()
      await browser.signIn('ada', password)
      await browser.get('/portal')
      return decodeJwt(first.fhir.requests.at(-1)?.authorization.replace('Bearer ', '') ?? '').sub
    }
    expect(await subjectAfterLogin()).toBe('ada')
    await using _next = await start({ users: [ada({ fhirUser: 'Practitioner/grace' })] }, first.databaseUrl)
    expect(await subjectAfterLogin()).toBe('grace')
  })
})

describe('the own tokens of a client', () => {
  const keyOf = (kid: string) => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    return { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES384', use: 'sig' }
  }
  const keys = [keyOf('a'), keyOf('b')] as const
  const [a, b] = keys
  const authMethods = ['client_secret_basic', 'private_key_jwt']
  const turned = (key: object) => Object.fromEntries(Object.entries(key).toReversed())
  const withKeys = (...held: readonly object[]) => lab({ authMethods, jwks: JSON.stringify({ keys: held }) })
  const at = (jwksUri: string) => lab({ authMethods, jwksUri })

  it.each<[string, () => DeclaredClient, () => DeclaredClient, boolean]>([
    ['live on where nothing is another', () => withKeys(a), () => withKeys(turned(a)), true],
    ['live on where the name is another', () => lab(), () => lab({ clientName: 'Laboratory' }), true],
    ['live on where a key has come', () => withKeys(a), () => withKeys(a, b), true],
    ['live on where keys are the first', () => lab(), () => withKeys(a), true],
    ['end with the secret before', () => lab(), () => lab({ clientSecretFile: join(folder, 't') }), false],
    ['end with a key that went', () => withKeys(a, b), () => withKeys(b), false],
    ['end with all keys', () => withKeys(a), () => lab(), false],
    [
      'end with another address of the keys',
      () => at('https://lab.example/keys'),
      () => at('https://lab.example/other-keys'),
      false,
    ],
  ])('%s', async (_what, before, after, lives) => {
    await using first = await start({ clients: [before()] })
    const token = await serviceToken(first, secrets.s)
    await using next = await start({ clients: [after()] }, first.databaseUrl)
    expect(await isAlive(token, first)).toBe(lives)
    const secret = after().clientSecretFile === join(folder, 't') ? secrets.t : secrets.s
    const later = await serviceToken(next, secret)
    await using _copy = await start({ clients: [after()] }, first.databaseUrl)
    expect(await isAlive(later, next)).toBe(true)
  })
})

describe('A23: a person', () => {
  const grace = () => ada({ username: 'grace', fhirUser: 'Patient/grace', roles: ['PATIENT'] })
  const { clientSecretFile: _file, ...client } = lab({ clientId: 'grace' })

  it('is not declared with the id of a client, however that was added; the refusal says the way out, which is one', async () => {
    await using first = await start({})
    await addClient(client, cliDeps(first))
    const refused = start({ users: [grace()] }, first.databaseUrl)
    await expect(refused).rejects.toThrow('The user grace cannot be registered: a client has the id grace')
    await expect(refused).rejects.toThrow('`corridor clients disable grace`')
    await disableClient('grace', cliDeps(first))
    await using second = await start({ users: [grace()] }, first.databaseUrl)
    expect((await second.browser().signIn('grace', password)).status).toBe(303)
    // Then the client does not come back.
    const persons = 'The client grace cannot be registered: a person has this id'
    await expect(addClient(client, cliDeps(first))).rejects.toThrow(persons)
    await expect(start({ users: [grace()], clients: [lab({ clientId: 'grace' })] }, first.databaseUrl)).rejects.toThrow(
      persons,
    )
  })

  it('may have the id of a client that the same start takes away, which no command brings back', async () => {
    await using first = await start({ clients: [lab({ clientId: 'grace' })] })
    await disableClient('grace', cliDeps(first))
    await using _taken = await start({ users: [grace()] }, first.databaseUrl)
    await expect(enableClient('grace', cliDeps(first))).rejects.toThrow('a person has this id')
    await using other = await start({ clients: [lab({ clientId: 'ada' })] })
    await using next = await start({ users: [ada()] }, other.databaseUrl)
    expect((await next.browser().signIn('ada', password)).status).toBe(303)
    expect(await changes(next)).toContain('ada: client disabled')
  })

  it('and a client are not declared with one id', async () => {
    await using first = await start({})
    await expect(start({ users: [ada()], clients: [lab({ clientId: 'ada' })] }, first.databaseUrl)).rejects.toThrow(
      'The client ada cannot be registered: a person has this id',
    )
  })
})
