import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { ownPlace, runCommand, startCommand } from '../../packages/testkit/corridor-command.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { testDatabase } from '../../packages/testkit/test-database.ts'

describe('corridor start', () => {
  it('prints where everything is, says that it is ready, and ends cleanly on SIGTERM', async () => {
    await using place = await ownPlace()
    await using corridor = await startCommand(['start', '--demo'], place)
    await corridor.waitForLine(/^Corridor is ready$/)
    const port = place.environment['CORRIDOR_AUTH_PORT']
    expect(corridor.lines.join('\n')).toContain(`Authorization server  http://localhost:${port}`)
    for (const host of ['127.0.0.1', '[::1]']) {
      expect((await fetch(`http://${host}:${port}/actuator/health`)).status, host).toBe(200)
    }
    expect(await corridor.kill('SIGTERM')).toEqual({ code: 0, signal: null })

    // The same data again: what was made is found, and nothing is in the way.
    await using again = await startCommand(['start', 'auth', '--demo'], place)
    await again.waitForLine(/^Corridor is ready$/)
    expect(await again.kill('SIGINT')).toEqual({ code: 0, signal: null })
  })

  it('starts again by itself after it was killed, and adopts the database that was left running', async () => {
    await using place = await ownPlace()
    const first = await startCommand(['start', 'auth', '--demo'], place)
    await first.waitForLine(/^Corridor is ready$/)
    await first.kill('SIGKILL')
    await using second = await startCommand(['start', 'auth', '--demo'], place, { CORRIDOR_LOG_LEVEL: 'info' })
    await second.waitForLine(/^Corridor is ready$/)
    expect(second.errorLines.join('\n')).toContain('postgres.adopted')
    expect(await second.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  it('brings its database back when that dies under it', async () => {
    await using place = await ownPlace()
    await using corridor = await startCommand(['start', 'auth', '--demo'], place)
    await corridor.waitForLine(/^Corridor is ready$/)
    const pidFile = join(place.folder, 'data', 'postgres', 'postmaster.pid')
    process.kill(Number((await readFile(pidFile, 'utf8')).split('\n')[0]), 'SIGKILL')
    const health = `http://127.0.0.1:${place.environment['CORRIDOR_AUTH_PORT']}/actuator/health`
    const status = async () => (await fetch(health)).status
    await waitFor(async () => corridor.errorLines.some((line) => line.includes('postgres died and is started again')), {
      what: 'the death to be noticed',
      deadlineMs: 20_000,
    })
    await waitFor(async () => (await status()) === 200, { what: 'health to be good again', deadlineMs: 20_000 })
    expect(await corridor.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  it('is refused a data directory that another running Corridor holds, and leaves that one alone', async () => {
    await using place = await ownPlace()
    await using other = await ownPlace()
    await using holder = await startCommand(['start', 'auth', '--demo'], place)
    await holder.waitForLine(/^Corridor is ready$/)
    const dataDir = place.environment['CORRIDOR_DATA_DIR'] ?? ''
    const refused = await runCommand(['start', 'auth', '--demo'], other, { CORRIDOR_DATA_DIR: dataDir })
    expect(refused).toEqual({
      code: 1,
      out: '',
      err:
        `The data directory ${dataDir} is held by another running Corridor (process ${holder.pid}). ` +
        'Stop it, or set CORRIDOR_DATA_DIR to another folder.',
    })
    expect((await fetch(`http://127.0.0.1:${place.environment['CORRIDOR_AUTH_PORT']}/actuator/health`)).status).toBe(
      200,
    )
    await holder.kill('SIGTERM')
  })

  it('says which port is in use before it makes anything', async () => {
    await using place = await ownPlace()
    const port = Number(place.environment['CORRIDOR_CONSENT_PORT'])
    const taken = createServer().listen(port, '127.0.0.1')
    await once(taken, 'listening')
    const refused = await runCommand(['start', '--demo'], place)
    taken.close()
    expect(refused.code).toBe(1)
    expect(refused.err).toBe(
      `Port ${port} (consent) is in use by another program. Stop it, or set CORRIDOR_CONSENT_PORT to a free port.`,
    )
    expect(await readdir(place.folder)).toEqual([])
  })

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
      says: /^The database at 127\.0\.0\.1:1 .*\.$/,
    },
    {
      wrong: 'demo mode on an address that others reach',
      more: { CORRIDOR_LISTEN_HOSTS: '0.0.0.0' },
      says: 'Demo mode cannot start like this.\n  listen.hosts names 0.0.0.0: demo accounts have known passwords, so demo mode listens on loopback only. Use mode: production.',
    },
    {
      wrong: 'production without its own database and keys',
      more: { CORRIDOR_MODE: 'production' },
      says:
        'Production mode cannot start yet.\n' +
        '  database.url is missing: name your PostgreSQL with CORRIDOR_DATABASE_URL or CORRIDOR_DATABASE_URL_FILE.\n' +
        '  auth.keyDirectory is missing: name the folder of the signing keys with CORRIDOR_AUTH_KEY_DIRECTORY and back it up.',
    },
  ])('refuses $wrong in one sentence and leaves nothing behind', async ({ yaml, more, words = [], says }) => {
    await using place = await ownPlace()
    await writeFile(join(place.folder, 'corridor.yaml'), yaml ?? '')
    const refused = await runCommand(['start', ...words, '--demo', '--config', 'corridor.yaml'], place, more)
    expect(refused.code).toBe(1)
    expect(refused.out).toBe('')
    expect(says instanceof RegExp ? refused.err.replace(says, 'as said') : refused.err).toBe(
      says instanceof RegExp ? 'as said' : says,
    )
    expect(refused.err).not.toContain('hush')
    expect(await readdir(place.folder)).toEqual(['corridor.yaml'])
  })

  it('refuses a signing key that is none', async () => {
    await using place = await ownPlace()
    const keys = join(place.folder, 'keys')
    await mkdir(keys, { mode: 0o700 })
    await writeFile(join(keys, 'signing-key-0001.json'), 'not a key', { mode: 0o600 })
    const refused = await runCommand(['start', 'auth', '--demo'], place, { CORRIDOR_AUTH_KEY_DIRECTORY: keys })
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(
      /^The signing key .*signing-key-0001\.json is not a readable RSA private key\. Restore it from your backup/,
    )
  })

  it('refuses a data directory that cannot be one', async () => {
    await using place = await ownPlace()
    await writeFile(join(place.folder, 'data'), 'a file stands in the way')
    await chmod(join(place.folder, 'data'), 0o400)
    const refused = await runCommand(['start', 'auth', '--demo'], place)
    expect([refused.code, refused.out]).toEqual([1, ''])
    expect(refused.err).toContain(join(place.folder, 'data'))
    expect(refused.err.split('\n')).toHaveLength(1)
  })
})

describe('two copies against one PostgreSQL', () => {
  it('both come up, and every migration ran once', async () => {
    await using database = await testDatabase()
    await using one = await ownPlace()
    await using two = await ownPlace()
    const shared = { CORRIDOR_DATABASE_URL: database.url, CORRIDOR_LOG_LEVEL: 'info' }
    await using first = await startCommand(['start', '--demo'], one, shared)
    await using second = await startCommand(['start', '--demo'], two, shared)
    await Promise.all([first.waitForLine(/^Corridor is ready$/), second.waitForLine(/^Corridor is ready$/)])
    const applied = [first, second].flatMap(({ errorLines }) =>
      errorLines
        .filter((line) => line.includes('"event":"migrated"'))
        .map((line) => (JSON.parse(line) as { count: number }).count),
    )
    const check = await runCommand(['migrate', '--check', '--demo'], one, shared)
    expect(check).toMatchObject({ code: 0, out: 'The database is up to date.' })
    const rows = await migrationRows(database.url)
    expect(applied.reduce((sum, count) => sum + count, 0)).toBe(rows)
    const ends = await Promise.all([first.kill('SIGTERM'), second.kill('SIGTERM')])
    expect(ends).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ])
  })
})

describe('the other commands', () => {
  it('config prints the effective configuration without a secret', async () => {
    await using place = await ownPlace()
    const { code, out } = await runCommand(['config', '--demo'], place, {
      CORRIDOR_DATABASE_URL: 'postgres://corridor:hush@db/corridor',
    })
    expect(code).toBe(0)
    expect(out).toContain('url: "***" # CORRIDOR_DATABASE_URL')
    expect(out).not.toContain('hush')
  })

  it('doctor says that all is well, or what to do', async () => {
    await using place = await ownPlace()
    const well = await runCommand(['doctor', '--demo'], place)
    expect(well).toMatchObject({ code: 0 })
    expect(well.out).toMatch(/Everything is well\.|look at the warnings\.$/)
    const port = Number(place.environment['CORRIDOR_AUTH_PORT'])
    const taken = createServer().listen(port, '127.0.0.1')
    await once(taken, 'listening')
    const ill = await runCommand(['doctor', '--demo', '--json'], place)
    taken.close()
    expect(ill.code).toBe(1)
    expect(JSON.parse(ill.out)).toContainEqual({
      check: `Port ${port}`,
      state: 'bad',
      says: 'in use by another program, wanted for auth',
      advice: 'Stop that program, or set CORRIDOR_AUTH_PORT to a free port.',
    })
  })

  it('doctor looks into a database by its address', async () => {
    await using database = await testDatabase()
    await using place = await ownPlace()
    const { out } = await runCommand(['doctor', '--demo', '--json'], place, { CORRIDOR_DATABASE_URL: database.url })
    const findings = JSON.parse(out) as { check: string; state: string; says: string }[]
    const stateOf = (check: string) => findings.find((finding) => finding.check === check)?.state
    // The database of the tests runs without fsync, and the doctor must not let that pass.
    expect(['Database', 'Clock', 'Migrations', 'Durability'].map(stateOf)).toEqual(['good', 'good', 'good', 'bad'])
  })

  it.each([
    [['--help']],
    [['start', '--help']],
    [['config', '--help']],
    [['migrate', '--help']],
    [['doctor', '--help']],
  ])('%j explains itself', async (words) => {
    await using place = await ownPlace()
    const { code, out } = await runCommand(words, place)
    expect(code).toBe(0)
    expect(out).toMatch(/^Usage: corridor/)
  })

  it('an unknown command is refused with the nearest one', async () => {
    await using place = await ownPlace()
    const { code, err } = await runCommand(['strat'], place)
    expect(code).toBe(1)
    expect(err).toContain("unknown command 'strat'")
    expect(err).toContain('Did you mean start?')
  })
})

async function migrationRows(url: string): Promise<number> {
  const database = await openDatabase({ url, log: silentLog })
  try {
    return (await database.one<{ count: number }>(sql`select count(*)::int as count from kit.migrations`)).count
  } finally {
    await database.close()
  }
}
