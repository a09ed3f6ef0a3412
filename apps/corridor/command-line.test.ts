import { once } from 'node:events'
import { chmod, chown, mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { incorrect } from '../../packages/faults/fault.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { JobQueue } from '../../packages/sql/tasks/job-queue.ts'
import { Outbox } from '../../packages/sql/tasks/outbox.ts'
import { TaskTable } from '../../packages/sql/tasks/task-table.ts'
import { ownPlace, type OwnPlace } from '../../packages/testkit/corridor-command.ts'
import { testCorridorDatabase } from '../../packages/testkit/test-corridor.ts'
import { testDatabase } from '../../packages/testkit/test-database.ts'
import { addCertificate } from '../../services/immunization/store/certificates.ts'
import { runCommandLine } from './command-line.ts'

/** As a process of its own would end; that it does so as a process is shown in test/flows. */
async function run(words: readonly string[], place: OwnPlace, more: Readonly<Record<string, string>> = {}) {
  let [out, err] = ['', '']
  const terminal = {
    ...{ isInteractive: false, hasColour: false },
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
  }
  const signals = { first: () => new Promise<string>(() => {}) }
  const environment = { ...place.environment, ...more }
  const code = await runCommandLine(words, { terminal, signals, environment, input: new PassThrough().end() })
  return { code, out: out.trimEnd(), err: err.trimEnd() }
}

/** What the sessions of an address are told as well. */
const withOptions = (url: string, options: string) =>
  `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(options)}`

const closing = (database: Database) => ({ ...database, [Symbol.asyncDispose]: () => database.close() })

describe('corridor start', () => {
  it.each([
    {
      wrong: 'an unknown key in the file',
      yaml: 'auth:\n  prot: 9000\n',
      says: 'The configuration is not valid.\n  corridor.yaml:2:3: auth.prot is not a known key. Did you mean auth.port?',
    },
    {
      wrong: 'an unknown variable',
      more: { CORRIDOR_AUTH_PROT: '9000' },
      says: 'The configuration is not valid.\n  CORRIDOR_AUTH_PROT is not a known variable. Did you mean CORRIDOR_AUTH_PORT?',
    },
    {
      wrong: 'a service that does not exist',
      words: ['consnet'],
      says: 'consnet is not a service of Corridor. Did you mean consent? The services are auth, fhir, consent, referral, bridge, immunization.',
    },
    {
      wrong: 'a database that refuses',
      more: { CORRIDOR_DATABASE_URL: 'postgres://corridor:hush@127.0.0.1:1/corridor' },
      says: expect.stringMatching(/^The database at 127\.0\.0\.1:1 .*\.$/) as string,
    },
    {
      wrong: 'demo mode on an address that others reach',
      more: { CORRIDOR_LISTEN_HOSTS: '0.0.0.0' },
      says: 'Demo mode cannot be used like this.\n  listen.hosts names 0.0.0.0: demo accounts have known passwords, so demo mode listens on loopback only. Use mode: production.',
    },
    {
      wrong: 'production without its own database and keys',
      more: { CORRIDOR_MODE: 'production' },
      says:
        'Production mode is not set up yet.\n' +
        '  database.url is missing: name your PostgreSQL with CORRIDOR_DATABASE_URL or CORRIDOR_DATABASE_URL_FILE.\n' +
        '  auth.keyDirectory is missing: name the folder of the signing keys with CORRIDOR_AUTH_KEY_DIRECTORY and back it up.',
    },
    {
      wrong: 'production with a secret of the demo',
      words: ['bridge'],
      more: {
        ...{ CORRIDOR_MODE: 'production', CORRIDOR_DATABASE_URL: 'postgres://corridor:hush@127.0.0.1:1/corridor' },
        ...{ CORRIDOR_AUTH_KEY_DIRECTORY: '/keys', CORRIDOR_BRIDGE_CLIENT_SECRET: 'demo' },
      },
      says:
        'Production mode is not set up yet.\n' +
        '  bridge.clientSecret can be guessed: 32 characters of chance or more. `corridor clients secret svc-bridge` makes one; ' +
        'where auth.clients declares it, `openssl rand -hex 32`.',
    },
  ])('refuses $wrong in one sentence and leaves nothing behind', async ({ yaml, more, words = [], says }) => {
    await using place = await ownPlace()
    const file = join(place.folder, 'corridor.yaml')
    await writeFile(file, yaml ?? '')
    const { code, out, err } = await run(['start', ...words, '--demo', '--config', file], place, more)
    expect([code, out]).toEqual([1, ''])
    expect(err.replace(file, 'corridor.yaml')).toEqual(says)
    expect(err).not.toContain('hush')
    expect(await readdir(place.folder)).toEqual(['corridor.yaml'])
  })

  it('shows a newcomer who named no mode the way to a first look', async () => {
    await using place = await ownPlace()
    const { code, err } = await run(['start'], place)
    expect(code).toBe(1)
    expect(err).toMatch(
      /^Production mode is not set up yet\.\n[^]*\nFor a first look, .*corridor.* start --demo\. Other commands take --demo, too\.$/,
    )
  })

  it('says which port is in use before it makes anything', async () => {
    await using place = await ownPlace()
    const port = Number(place.environment['CORRIDOR_CONSENT_PORT'])
    const taken = createServer().listen(port, '127.0.0.1')
    await once(taken, 'listening')
    const refused = await run(['start', '--demo'], place)
    taken.close()
    expect(refused).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(
        `^Port ${port} \\(consent\\) is in use by another program.*\\. Stop it, or set CORRIDOR_CONSENT_PORT to a free port\\.$`,
      ) as string,
    })
    expect(await readdir(place.folder)).toEqual([])
  })

  it('refuses a signing key that is none', async () => {
    await using place = await ownPlace()
    await using database = await testDatabase()
    const keys = join(place.folder, 'keys')
    await mkdir(keys, { mode: 0o700 })
    await writeFile(join(keys, 'signing-key-0001.json'), 'not a key', { mode: 0o600 })
    const more = { CORRIDOR_AUTH_KEY_DIRECTORY: keys, CORRIDOR_DATABASE_URL: database.url }
    const refused = await run(['start', 'auth', '--demo'], place, more)
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(
      /^The signing key .*signing-key-0001\.json is not a readable RSA private key\. Restore it from your backup/,
    )
  })

  it('refuses a data directory that cannot be one', async () => {
    await using place = await ownPlace()
    const dataDir = join(place.folder, 'data')
    await writeFile(dataDir, 'a file stands in the way')
    await chmod(dataDir, 0o400)
    expect(await run(['start', 'auth', '--demo'], place)).toEqual({
      code: 1,
      out: '',
      err:
        `The data directory ${dataDir} cannot be used: ${dataDir} is a file. ` +
        'Move it away, or set CORRIDOR_DATA_DIR to another folder.',
    })
    const { out } = await run(['doctor', '--demo', '--json'], place)
    expect(JSON.parse(out)).toContainEqual({
      check: 'Data directory',
      state: 'bad',
      says: `${dataDir} is a file`,
      advice: 'Move it away, or set CORRIDOR_DATA_DIR to another folder.',
    })
  })
})

describe('the other commands', () => {
  it('config prints the effective configuration without a secret', async () => {
    await using place = await ownPlace()
    const { code, out } = await run(['config', '--demo'], place, {
      CORRIDOR_DATABASE_URL: 'postgres://corridor:hush@db/corridor',
    })
    expect(code).toBe(0)
    expect(out).toContain('url: "***" # CORRIDOR_DATABASE_URL')
    expect(out).not.toContain('hush')
    // Also where one value follows from another.
    expect(out).toMatch(/mllpHosts:\n +- 127\.0\.0\.1\n/)
  })

  it('migrate --check names what waits, once each, and changes nothing; migrate applies it', async () => {
    await using place = await ownPlace()
    await using database = await testDatabase()
    const there = { CORRIDOR_DATABASE_URL: database.url }
    const check = () => run(['migrate', '--check', '--demo'], place, there)
    const waiting = await check()
    expect(await check()).toEqual(waiting)
    expect(waiting.code).toBe(1)
    expect(waiting.out).toContain('\n  consent/0001-records.sql\n')
    const names = waiting.out.split('\n').slice(1)
    expect(waiting.out).toMatch(new RegExp(`^${names.length} migrations to be applied\\. Run .*corridor.* migrate:\\n`))
    const { code, err } = await run(['migrate', '--demo'], place, there)
    expect([code, err]).toEqual([0, [...names, `${names.length} migrations applied.`].join('\n')])
    expect(await check()).toEqual({ code: 0, out: 'The database is up to date.', err: '' })
  })

  it('keys makes none by a look at a directory that has lost them, and new ones for who says so', async () => {
    await using place = await ownPlace()
    await using server = await testCorridorDatabase()
    const database = await openDatabase({ url: server.url, poolMax: 1, log: silentLog })
    await database.run(sql`
      insert into auth.grants (id, client_id, user_id, session_hash, is_offline, scope, signed_in_at, created_at,
        last_used_at, expires_at)
      values (gen_random_uuid(), 'app', gen_random_uuid(), 'hash', true, 'openid', now(), now(), now(), now() + '1 hour')`)
    await database.close()
    const production = {
      ...{ CORRIDOR_MODE: 'production', CORRIDOR_DATABASE_URL: server.url },
      CORRIDOR_AUTH_KEY_DIRECTORY: join(place.folder, 'keys'),
    }
    const keys = (...words: readonly string[]) => run(['keys', ...words], place, production)
    expect(await keys('list')).toMatchObject({ code: 1, err: expect.stringContaining('Mount the directory') as string })
    expect(await readdir(place.folder)).toEqual([])
    expect(await keys('rotate', '--immediately')).toMatchObject({ code: 0 })
    expect(await keys('list')).toMatchObject({ code: 0, out: expect.stringContaining(' current ') as string })
  })

  it('certificate-keys lists, rotates and withdraws the keys of certificates', async () => {
    await using place = await ownPlace()
    await using database = await testDatabase()
    const keys = (...words: readonly string[]) =>
      run(['certificate-keys', ...words, '--demo'], place, { CORRIDOR_DATABASE_URL: database.url })
    const noSuchKey = expect.stringMatching(/^There is no /) as string
    const [first = ''] = /\S+(?= +current)/.exec((await keys('list')).out) ?? []
    expect(await keys('withdraw', first)).toMatchObject({
      code: 1,
      err: 'The current signing key cannot be withdrawn. First `corridor certificate-keys rotate --immediately`, then withdraw it.',
    })
    const made = await keys('rotate', '--immediately')
    expect(made).toMatchObject({ code: 0, err: '' })
    const [, second = ''] = /^The key (\S+) signs certificates from \d{4}-/.exec(made.out) ?? []
    expect((await keys('list')).out).toMatch(new RegExp(`${first} +retired [^]*${second} +current `))
    expect(await keys('withdraw', first)).toMatchObject({ code: 0, out: `The key ${first} is withdrawn.` })
    expect((await keys('list')).out).not.toContain(first)
    expect(await keys('withdraw', first)).toMatchObject({ code: 1, err: noSuchKey })
    // One in 64 begins so.
    expect(await keys('withdraw', `-${first.slice(1)}`)).toMatchObject({ code: 1, err: noSuchKey })
    const open = await openDatabase({ url: database.url, poolMax: 1, log: silentLog })
    const audited = await open.many<{ operator: string }>(sql`select operator from auth.audit_events`)
    await open.close()
    expect(audited.map(({ operator }) => operator?.slice(0, 3))).toEqual(['os:', 'os:'])
  })

  it('certificates finds for whom a printed one was made', async () => {
    await using place = await ownPlace()
    await using database = await testDatabase()
    const there = { CORRIDOR_DATABASE_URL: database.url }
    const find = (id: string) => run(['certificates', 'find', id, '--demo'], place, there)
    expect(await run(['migrate', '--demo'], place, there)).toMatchObject({ code: 0 })
    const open = await openDatabase({ url: database.url, poolMax: 1, log: silentLog })
    const uvci = 'URN:UVCI:01:CORRIDOR:0123456789ABCDEF'
    await addCertificate({ uvci, patientId: 'p1', subject: 'dr-amara' }, new Date('2026-03-04T05:06:07Z'), open)
    await open.close()
    expect((await find(uvci.toLowerCase())).out).toMatch(/Patient\/p1 +2026-03-04T05:06:07.000Z +dr-amara/)
    expect(await find('URN:UVCI:01:CORRIDOR:0')).toMatchObject({
      code: 1,
      err: 'No certificate of this id was made here.',
    })
  })

  it('background tells what was given up, lets it be tried again behind what is under way, and removes it', async () => {
    await using place = await ownPlace()
    await using server = await testCorridorDatabase()
    const background = (...words: readonly string[]) =>
      run(['background', ...words, '--demo'], place, { CORRIDOR_DATABASE_URL: server.url })
    expect((await background('list')).out).toBe('Nothing waits, and nothing was given up.')
    const database = await openDatabase({ url: server.url, poolMax: 2, log: silentLog })
    await using opened = new AsyncDisposableStack()
    opened.defer(() => database.close())
    const outbox = new Outbox({ database, log: silentLog })
    const jobs = new JobQueue({ database, log: silentLog })
    await database.transaction(async (tx) => {
      const told = (payload: string) => ({ topic: 'bridge.coordination', key: 'bridge.coordination', payload })
      await outbox.enqueue(tx, told('first'), told('second'), { topic: 'bridge.audit.fhir', payload: 'record' })
      await jobs.add(tx, { queue: 'referral.acceptance', payload: 'late' })
    })
    const claim = (queue: string, table: 'outbox' | 'jobs' = 'outbox') =>
      new TaskTable(table).claim(database, { queues: [queue], limit: 9, leaseMs: 60_000 })
    const bury = async (queue: string, table: 'outbox' | 'jobs' = 'outbox') => {
      const fault = incorrect('It says\u001b[2J\nno.')
      const claimed = await claim(queue, table)
      await new TaskTable(table).end(
        database,
        claimed.map((task) => ({ is: 'dead', task, fault })),
      )
      return claimed.map(({ id }) => id)
    }
    const [first = ''] = await bury('bridge.coordination')
    const [record = ''] = await bury('bridge.audit.fhir')
    const [job = ''] = await bury('referral.acceptance', 'jobs')
    const listed = (await background('list')).out
    expect(listed).toMatch(
      /bridge\.audit\.fhir +0 +– +1\nbridge\.coordination +1 +20\S+Z +1\nreferral\.acceptance +0 +– +1$/,
    )
    expect((await background('dead', 'bridge.coordination')).out).toMatch(
      new RegExp(`${first} +20\\S+ +20\\S+ +1 +It says \\[2J no\\.$`),
    )

    // The one behind it is under way by now: two of one key at once would be told in any order.
    expect(await claim('bridge.coordination')).toMatchObject([{ payload: 'second' }])
    expect(await background('retry', 'bridge.coordination')).toMatchObject({
      ...{ code: 0, out: '1 of bridge.coordination will be tried again within seconds, where its service runs.' },
    })
    expect(await claim('bridge.coordination')).toEqual([])
    expect(await background('retry', 'bridge.coordination', first)).toMatchObject({
      ...{ code: 1, err: 'Nothing like that of bridge.coordination was given up.' },
    })
    expect(await background('retry', 'referral.acceptance', job)).toMatchObject({ code: 0 })
    expect(await bury('referral.acceptance', 'jobs')).toEqual([job])
    expect(await background('remove', 'referral.acceptance', job)).toMatchObject({ code: 0 })
    expect((await background('dead', 'referral.acceptance')).out).toBe('Nothing of referral.acceptance was given up.')
    expect(await background('remove', 'bridge.audit.fhir', record)).toMatchObject({
      ...{ code: 1, err: 'What bridge.audit.fhir has given up are audit records: they stay. Retry them.' },
    })
    expect(await background('retry', 'bridge.audit.fhir', '1')).toMatchObject({
      ...{ code: 1, err: '1 is not an id; "corridor background dead <queue>" names them.' },
    })
    const audited = await database.many<{ reason: string; operator: string }>(
      sql`select reason, operator from auth.audit_events where event = 'background work changed' order by at`,
    )
    expect(audited).toEqual(
      [
        '1 of bridge.coordination to be tried again',
        '1 of referral.acceptance to be tried again',
        `1 of referral.acceptance removed, of these: ${job}`,
      ].map((reason) => ({ reason, operator: expect.stringMatching(/^os:/) as string })),
    )
  })

  it('an account is added before there is a file of its secret, which only its own service reads', async () => {
    await using place = await ownPlace()
    await using database = await testDatabase()
    const secret = join(place.folder, 'bridge-secret')
    const more = { CORRIDOR_DATABASE_URL: database.url, CORRIDOR_BRIDGE_CLIENT_SECRET_FILE: secret }
    const words = ['--grant', 'client_credentials', '--auth', 'client_secret_basic', '--scope', 'system/*.read']
    expect(await run(['clients', 'add', 'svc-own', ...words, '--demo'], place, more)).toMatchObject({ code: 0 })
    const port = Number(place.environment['CORRIDOR_AUTH_PORT'])
    const taken = createServer().listen(port, '127.0.0.1')
    await once(taken, 'listening')
    const [auth, bridge] = [
      await run(['start', 'auth', '--demo'], place, more),
      await run(['start', 'bridge', '--demo'], place, more),
    ]
    taken.close()
    expect(auth.err).toContain(`Port ${port} (auth) is in use`)
    expect(bridge.err).toContain(`The file ${secret} for bridge.clientSecret cannot be read.`)
  })

  it('doctor says that all is well, or what to do', async () => {
    await using place = await ownPlace()
    const well = await run(['doctor', '--demo'], place)
    expect(well).toMatchObject({ code: 0 })
    expect(well.out).toMatch(/Everything is well\.|look at the warnings\.$/)
    const port = Number(place.environment['CORRIDOR_AUTH_PORT'])
    const taken = createServer().listen(port, '127.0.0.1')
    await once(taken, 'listening')
    const ill = await run(['doctor', '--demo', '--json'], place)
    taken.close()
    expect(ill.code).toBe(1)
    expect(JSON.parse(ill.out)).toContainEqual({
      check: `Port ${port}`,
      state: 'bad',
      says: expect.stringMatching(/^in use by another program.*, wanted for auth$/) as string,
      advice: 'Stop that program, or set CORRIDOR_AUTH_PORT to a free port.',
    })
  })

  it('doctor looks only at what the named services need, as a start of them does', async () => {
    await using place = await ownPlace()
    // What only the authorization server is shown.
    const apart = {
      CORRIDOR_AUTH_CLIENTS_FILE: '/nowhere/clients.json',
      CORRIDOR_AUTH_TLS_KEY_FILE: '/nowhere/key.pem',
    }
    const checks = async (...words: string[]) => {
      const { out } = await run(['doctor', ...words, '--demo', '--json'], place, apart)
      return JSON.parse(out) as { check: string; state: string; says: string }[]
    }
    const [all, some] = [await checks(), await checks('fhir', 'consent')]
    expect(all.filter(({ state }) => state === 'bad').map(({ says }) => says)).toEqual([
      expect.stringContaining('The file /nowhere/clients.json for auth.clients cannot be read.'),
    ])
    expect(some.filter(({ state }) => state === 'bad')).toEqual([])
    const { CORRIDOR_FHIR_PORT: fhir, CORRIDOR_CONSENT_PORT: consent } = place.environment
    expect(some.map(({ check }) => check).filter((check) => /^(Port|Signing)/.test(check))).toEqual([
      ...[`Port ${fhir}`, `Port ${consent}`],
    ])
    expect(await run(['doctor', 'consnet', '--demo'], place)).toMatchObject({
      ...{
        code: 1,
        err: expect.stringContaining('consnet is not a service of Corridor. Did you mean consent?') as string,
      },
    })
  })

  it('doctor looks into a database by its address', async () => {
    await using database = await testDatabase()
    await using place = await ownPlace()
    const { out } = await run(['doctor', '--demo', '--json'], place, { CORRIDOR_DATABASE_URL: database.url })
    const findings = JSON.parse(out) as { check: string; state: string; says: string }[]
    const stateOf = (check: string) => findings.find((finding) => finding.check === check)?.state
    // The database of the tests runs without fsync, and the doctor must not let that pass.
    expect(['Database', 'Writing', 'Clock', 'Migrations', 'Durability'].map(stateOf)).toEqual([
      ...['good', 'good', 'good', 'good', 'bad'],
    ])
  })

  it.each(['start auth', 'users add ada --is Practitioner/ada --role ADMIN', 'migrate'])(
    'a database that takes no changes is not said to be away: %s',
    async (words) => {
      await using database = await (words === 'migrate' ? testDatabase() : testCorridorDatabase())
      await using place = await ownPlace()
      const url = withOptions(database.url, '-c default_transaction_read_only=on')
      const { code, err } = await run([...words.split(' '), '--demo'], place, { CORRIDOR_DATABASE_URL: url })
      expect(code).toBe(1)
      expect(err.split('\n').at(-1)).toMatch(
        /^The database takes no changes: it is a standby, or its transactions are read-only\. Name the primary in database\.url; ".+ doctor" says which of the two it is\.$/,
      )
    },
  )

  it.each(['start auth', 'clients list', 'migrate', 'migrate --check'])(
    'a server that is too old is refused before anything is made in it: %s',
    async (words) => {
      await using database = await testDatabase()
      await using place = await ownPlace()
      await using admin = await openDatabase({ url: database.url, poolMax: 1, log: silentLog }).then(closing)
      // It says that it is a PostgreSQL 14; none is there to be asked.
      await admin.run(sql`create schema says_14`)
      await admin.run(sql`
        create function says_14.current_setting(name text) returns text language sql as $$
          select case name when 'server_version' then '14.9' when 'server_version_num' then '140009'
                           else pg_catalog.current_setting(name) end $$`)
      const url = withOptions(database.url, '-c search_path=says_14,pg_catalog')
      const { code, err } = await run([...words.split(' '), '--demo'], place, { CORRIDOR_DATABASE_URL: url })
      expect([code, err.split('\n').at(-1)]).toEqual([
        ...[1, 'The database is PostgreSQL 14.9. Corridor needs 15 or newer.'],
      ])
      expect(await admin.many(sql`select nspname from pg_namespace where nspname in ('kit', 'auth')`)).toEqual([])
    },
  )

  it.each(['start consent', 'clients list', 'migrate', 'migrate --check', 'doctor'])(
    'a database that does not take every name is refused before anything is made in it: %s',
    async (words) => {
      await using made = await testDatabase({ encoding: 'SQL_ASCII' })
      await using place = await ownPlace()
      const { code, out, err } = await run([...words.split(' '), '--demo'], place, { CORRIDOR_DATABASE_URL: made.url })
      const said = words === 'doctor' ? out : err.split('\n').at(-1)
      expect([code, said]).toEqual([
        ...[1, expect.stringMatching(/is kept in SQL_ASCII.*UTF8.*create database … encoding 'UTF8'/s) as string],
      ])
      await using database = await openDatabase({ url: made.url, poolMax: 1, log: silentLog }).then(closing)
      expect(await database.many(sql`select nspname from pg_namespace where nspname in ('kit', 'consent')`)).toEqual([])
    },
  )

  it('doctor sees that a database takes no changes', async () => {
    await using database = await testDatabase()
    await using place = await ownPlace()
    const url = withOptions(database.url, '-c default_transaction_read_only=on')
    const { code, out } = await run(['doctor', '--demo', '--json'], place, { CORRIDOR_DATABASE_URL: url })
    expect(code).toBe(1)
    expect(JSON.parse(out)).toContainEqual({
      check: 'Writing',
      state: 'bad',
      says: 'the server takes no changes: transactions are read-only',
      advice:
        'Find out who turned default_transaction_read_only on, for the server, the database or the user, and turn it off.',
    })
  })

  it.runIf(process.getuid?.() === 0)('doctor names keys that their reader cannot read, also to root', async () => {
    await using place = await ownPlace()
    const keys = join(place.folder, 'keys')
    await mkdir(keys, { mode: 0o700 })
    await writeFile(join(keys, 'sealing-key'), `${'A'.repeat(43)}\n`, { mode: 0o600 })
    await chown(keys, 64_321, 64_321)
    const { out } = await run(['doctor', '--demo', '--json'], place, { CORRIDOR_AUTH_KEY_DIRECTORY: keys })
    expect(JSON.parse(out)).toContainEqual({
      check: 'Signing keys',
      state: 'bad',
      says: `sealing-key in ${keys} belongs to another user than the directory`,
      advice: `Run "chown --reference=${keys}" on it: a service that runs as the owner of the directory cannot read it.`,
    })
  })

  it.each([
    [['--help']],
    [['start', '--help']],
    [['config', '--help']],
    [['migrate', '--help']],
    [['doctor', '--help']],
    [['tour', '--help']],
    [['certificate-keys', 'rotate', '--help']],
    [['background', '--help']],
    [['backup', '--help']],
    [['restore', '--help']],
  ])('%j explains itself', async (words) => {
    await using place = await ownPlace()
    const { code, out } = await run(words, place)
    expect(code).toBe(0)
    expect(out).toMatch(/^Usage: corridor/)
  })

  it.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['users', 'add'], "required option '--is <reference>'"],
    [['audit', 'verify', '--nonsense'], "unknown option '--nonsense'"],
    [['migrate', 'now'], "too many arguments for 'migrate'"],
  ])('%j says what is wrong and where help is', async (words, wrong) => {
    await using place = await ownPlace()
    const { code, err } = await run(words, place)
    expect(code).toBe(1)
    expect(err).toContain(wrong)
    expect(err).toContain('--help')
  })

  it('an unknown command is refused with the nearest one', async () => {
    await using place = await ownPlace()
    const { code, err } = await run(['strat'], place)
    expect(code).toBe(1)
    expect(err).toContain("unknown command 'strat'")
    expect(err).toContain('Did you mean start?')
  })
})
