import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { later } from '../../packages/clock/later.ts'
import { assert } from '../../packages/faults/fault.ts'
import { silentLog } from '../../packages/log/log.ts'
import { inspectPostgres } from '../../packages/postgres/inspect.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { sql, type Statement } from '../../packages/sql/sql.ts'
import type { Child } from '../../packages/testkit/child.ts'
import { ownPlace, runCommand, startCommand, type OwnPlace } from '../../packages/testkit/corridor-command.ts'

describe('accounts by command, while Corridor runs on its embedded database', () => {
  let place: OwnPlace
  let corridor: Child
  const run = (...words: string[]) => runCommand([...words, '--demo'], place)
  const tokenStatus = async (clientId: string, secret: string) => {
    const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
    const at = `http://127.0.0.1:${place.environment['CORRIDOR_AUTH_PORT']}/oauth2/token`
    const body = new URLSearchParams({ grant_type: 'client_credentials' })
    return (await fetch(at, { method: 'POST', headers: { authorization }, body })).status
  }
  beforeAll(async () => {
    place = await ownPlace()
    corridor = await startCommand(['start', 'auth', '--demo'], place)
    await corridor.waitForLine(/^Corridor is ready$/)
  })
  afterAll(async () => {
    await corridor.kill('SIGTERM')
    await place[Symbol.asyncDispose]()
  })

  it('a client that is added gets a token with the secret that was shown, and none once it is disabled', async () => {
    const added = await run(
      ...['clients', 'add', 'lab-feed', '--grant', 'client_credentials', '--auth', 'client_secret_basic'],
      ...['--scope', 'system/*.read', '--role', 'SYSTEM', '--organisation', 'Organization/central-hospital'],
    )
    expect(added).toMatchObject({ code: 0, err: '' })
    const secret = /shown only now: (\S+)/.exec(added.out)?.[1] ?? ''
    expect(await tokenStatus('lab-feed', secret)).toBe(200)
    expect((await run('clients', 'list')).out).toContain('lab-feed')
    expect(await run('clients', 'add', 'lab-feed')).toMatchObject({ code: 1 })
    expect((await run('clients', 'disable', 'lab-feed')).code).toBe(0)
    // The server remembers a client for a few seconds.
    await expect.poll(() => tokenStatus('lab-feed', secret), { timeout: 20_000 }).not.toBe(200)
  })

  it('a declared client and a declared user are disabled and enabled again, with all that they had', async () => {
    expect(await run('clients', 'disable', 'svc-monitor')).toMatchObject({ code: 0 })
    await expect.poll(() => tokenStatus('svc-monitor', 'demo'), { timeout: 20_000 }).toBe(401)
    expect(await run('clients', 'enable', 'svc-monitor')).toMatchObject({
      code: 0,
      out: 'The client svc-monitor is enabled.',
    })
    expect(await tokenStatus('svc-monitor', 'demo')).toBe(200)
    expect(await run('users', 'enable', 'clinician2')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no declared user clinician2 whom a command disabled') as string,
    })
    expect(await run('users', 'disable', 'clinician2')).toMatchObject({ code: 0 })
    expect(await run('users', 'enable', 'clinician2')).toMatchObject({ out: 'The user clinician2 is enabled.' })
  })

  it('a client is added with all that its registration may say, and what cannot be is said', async () => {
    const added = await run(
      ...['clients', 'add', 'growth-chart', '--redirect', 'http://localhost:4000/cb', '--consent', '--no-picker'],
      ...['--origin', 'https://charts.example', '--access-seconds', '600', '--refresh-seconds', '86400'],
      ...['--contact', 'Ward 3', '--logo', 'https://charts.example/logo.svg'],
      ...['--policy', 'https://charts.example/privacy', '--terms', 'https://charts.example/terms'],
    )
    expect(added).toEqual({ code: 0, out: 'The client growth-chart is registered.', err: '' })
    const at = `http://127.0.0.1:${place.environment['CORRIDOR_AUTH_PORT']}/oauth2/token`
    const headers = { origin: 'https://charts.example', 'access-control-request-method': 'POST' }
    const allowed = await fetch(at, { method: 'OPTIONS', headers })
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://charts.example')
    const asSaid = await onEmbeddedDatabase(
      place,
      sql`select from auth.clients
          where client_id = 'growth-chart' and requires_consent and patient_picker = 'never'
            and access_token_seconds = 600 and refresh_token_seconds = 86400 and contacts = array['Ward 3']
            and logo_uri = 'https://charts.example/logo.svg' and policy_uri = 'https://charts.example/privacy'
            and tos_uri = 'https://charts.example/terms'`,
    )
    expect(asSaid).toBe(1)
    const backend = ['clients', 'add', 'backend', '--grant', 'client_credentials', '--auth', 'private_key_jwt']
    expect(await run(...backend, '--scope', 'system/*.rs', '--jwks', 'nothing.json')).toMatchObject({
      code: 1,
      err: 'The file nothing.json cannot be read. Check the path and its permissions.',
    })
    await writeFile(join(place.folder, 'keys.json'), '{"keys":[{"kty":"EC"}]}')
    const withKeys = () => run(...backend, '--scope', 'system/*.rs', '--jwks', 'keys.json')
    expect(await withKeys()).toMatchObject({ code: 1, err: expect.stringContaining('must have a kid') })
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const key = { ...publicKey.export({ format: 'jwk' }), kid: 'backend-1' }
    await writeFile(join(place.folder, 'keys.json'), JSON.stringify({ keys: [key] }))
    expect(await withKeys()).toMatchObject({ code: 0, err: '' })
    const soon = ['clients', 'add', 'soon', '--redirect', 'http://localhost:4000/cb']
    for (const word of ['ten', '7200', '-1']) {
      expect(await run(...soon, '--access-seconds', word)).toMatchObject({
        code: 1,
        err: '--access-seconds must be a whole number from 0 to 3600.',
      })
    }
    expect(await run(...soon, '--refresh-seconds', '99999999999')).toMatchObject({
      code: 1,
      err: '--refresh-seconds must be a whole number from 0 to 7776000.',
    })
  })

  it('a secret that was stolen is refused as soon as the new one is there', async () => {
    const words = ['clients', 'add', 'robbed', '--grant', 'client_credentials', '--auth', 'client_secret_basic']
    const secretIn = ({ out }: { readonly out: string }) => /shown only now: (\S+)/.exec(out)?.[1] ?? ''
    const old = secretIn(await run(...words, '--scope', 'system/*.read'))
    expect(await tokenStatus('robbed', old)).toBe(200)
    const secret = secretIn(await run('clients', 'secret', 'robbed', '--immediately'))
    expect(await tokenStatus('robbed', secret)).toBe(200)
    expect(await tokenStatus('robbed', old)).toBe(401)
  })

  it('keys in a place that can hold none are an error that names the place', async () => {
    const elsewhere = { CORRIDOR_AUTH_KEY_DIRECTORY: '/proc/corridor/keys' }
    expect(await runCommand(['keys', 'rotate', '--demo'], place, elsewhere)).toEqual({
      ...{ code: 1, out: '' },
      err: 'The directory /proc/corridor cannot be made for the keys: /proc takes no directories. Name a directory that belongs to the user Corridor runs as.',
    })
  })

  it.each([
    ['listed', ['list']],
    ['withdrawn', ['remove', 'k'.repeat(43)]],
  ])('keys of a directory that has none are not %s, and none is made there', async (_what, words) => {
    const mistyped = join(place.folder, 'mistyped')
    const elsewhere = { CORRIDOR_AUTH_KEY_DIRECTORY: mistyped }
    expect(await runCommand(['keys', ...words, '--demo'], place, elsewhere)).toMatchObject({
      ...{ code: 1, out: '' },
      err: expect.stringContaining(`The key directory ${mistyped} has no signing key. Check`) as string,
    })
    expect(existsSync(mistyped)).toBe(false)
  })

  it.each([
    ['users list'],
    ['clients disable lab-feed'],
    ['keys list'],
    ['certificate-keys list'],
    ['audit verify'],
    ['background list'],
    ['migrate --check'],
  ])('%s says nothing of a data directory without a database, and makes none', async (words) => {
    const mistyped = join(place.folder, 'misspelt')
    expect(await runCommand([...words.split(' '), '--demo'], place, { CORRIDOR_DATA_DIR: mistyped })).toEqual({
      ...{ code: 1, out: '' },
      err:
        `The data directory ${mistyped} has no database. Set CORRIDOR_DATA_DIR to the one that has; where it is right, ` +
        'Corridor was never started with it.',
    })
    expect(existsSync(mistyped)).toBe(false)
  })

  it('a user is added with a password that is shown once, listed without it, and changed', async () => {
    const ward = ['--organisation', 'Organization/central-hospital']
    const added = await run('users', 'add', 'nurse', '--is', 'Practitioner/nurse-1', '--role', 'CLINICIAN', ...ward)
    expect(added).toMatchObject({ code: 0, err: '' })
    const password = /shown only now: (\S+)/.exec(added.out)?.[1] ?? ''
    expect(password.length).toBeGreaterThan(10)
    const listed = (await run('users', 'list')).out
    expect(listed).toContain('nurse')
    expect(listed).not.toContain(password)
    const changed = await run(
      ...[
        'users',
        'change',
        'nurse',
        '--role',
        'CLINICIAN',
        'ADMIN',
        '--no-organisation',
        '--display-name',
        'Nurse One',
      ],
    )
    expect(changed).toEqual({ code: 0, out: 'The user nurse is registered as said.', err: '' })
    const asSaid = await onEmbeddedDatabase(
      place,
      sql`select from auth.users where username = 'nurse' and roles = array['CLINICIAN', 'ADMIN']
          and organisation is null and display_name = 'Nurse One'`,
    )
    expect(asSaid).toBe(1)
    expect(await run('users', 'disable', 'nobody-here')).toMatchObject({
      code: 1,
      err: 'There is no active user nobody-here: `corridor users list` shows all.',
    })
  })

  it('a user with one-time codes is told of a login page that does not ask for them', async () => {
    const words = ['users', 'add', 'night-nurse', '--is', 'Practitioner/nurse-2', '--role', 'CLINICIAN', '--totp']
    const { code, out } = await run(...words)
    expect(code).toBe(0)
    expect(out).toMatch(/For the authenticator app: otpauth:.*\n.*set auth\.totp to true\.$/)
    const renewed = await run('users', 'totp', 'night-nurse')
    expect(renewed.out).toMatch(/^For the authenticator app: otpauth:.*\n.*set auth\.totp to true\.$/)
    const off = await run('users', 'totp', 'night-nurse', '--off')
    expect(off).toEqual({ code: 0, out: 'The user night-nurse signs in without a code.', err: '' })
  })

  it('a table of codes is loaded, and a file that is not there is said to be missing', async () => {
    await writeFile(join(place.folder, 'codes.csv'), 'code,display\nHB,Haemoglobin\nGLU,Glucose\n')
    const loaded = await run('terminology', 'load', 'codes.csv', '--system', 'urn:example:lab')
    expect(loaded).toEqual({ code: 0, out: 'CodeSystem urn:example:lab: 2 entries', err: '' })
    expect(await run('terminology', 'load', 'nothing.csv')).toMatchObject({
      code: 1,
      err: 'The file nothing.csv cannot be read. Check the path and its permissions.',
    })
  })

  it('a key is rotated with an overlap, as the list shows', async () => {
    expect((await run('keys', 'rotate')).out).toMatch(/^The key \S+ signs from \d{4}-/)
    const listed = (await run('keys', 'list')).out
    expect(listed).toContain('current')
    expect(listed).toContain('next')
  })

  it('the audit trails of some days are copied into files, and never over others', async () => {
    const [yesterday = '', afterTomorrow = ''] = [-1, 2].map((days) => dayText(later(new Date(), days * 86_400)))
    const exported = () => run('audit', 'export', '--from', yesterday, '--to', afterTomorrow, '--into', 'trails')
    const { code, out, err } = await exported()
    expect([code, err]).toEqual([0, ''])
    for (const name of ['fhir', 'auth', 'consent', 'referral', 'looks']) {
      const lines = (await readFile(join(place.folder, 'trails', `${name}.ndjson`), 'utf8')).split('\n').slice(0, -1)
      expect(lines.every((line) => typeof JSON.parse(line) === 'object')).toBe(true)
      expect(out).toMatch(new RegExp(`^${name}\\.ndjson +${lines.length}$`, 'm'))
    }
    const changed = /"at":"20\d\d-[^"]*\+00:00","event":"account changed"/
    expect(await readFile(join(place.folder, 'trails', 'auth.ndjson'), 'utf8')).toMatch(changed)
    expect(await exported()).toMatchObject({ code: 1, err: expect.stringContaining('is there already.') as string })
    expect(await run('audit', 'export', '--from', '2026-02-30', '--to', '2026-03-01', '--into', 'x')).toMatchObject({
      ...{ code: 1, err: '--from must be a day such as 2026-03-01.' },
    })
  })

  it('the audit trails are verified, and a record that nobody sent is found', async () => {
    const whole = await run('audit', 'verify')
    expect(whole).toMatchObject({ code: 0, err: '' })
    expect(whole.out).toMatch(/^FHIR store .* whole\nconsent .* whole\nbridge .* whole$/m)
    await onEmbeddedDatabase(
      place,
      sql`insert into bridge.audit_records (position, digest, record, hash, received_at)
          values (1, 'd', 'never sent', 'h', now())`,
    )
    const broken = await run('audit', 'verify')
    expect(broken.code).toBe(1)
    expect(broken.out).toMatch(/^bridge .* 1 broken\nbridge: record 1$/m)
  })
})

const dayText = (at: Date) => at.toISOString().slice(0, 10)

async function onEmbeddedDatabase(place: OwnPlace, statement: Statement): Promise<number> {
  const server = await inspectPostgres(join(place.folder, 'data'))
  assert(server.state === 'running', 'the embedded database runs')
  const database = await openDatabase({ url: server.url, poolMax: 1, log: silentLog })
  try {
    return await database.run(statement)
  } finally {
    await database.close()
  }
}
