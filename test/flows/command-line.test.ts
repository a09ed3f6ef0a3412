import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../apps/corridor/run/project-root.ts'
import { silentLog } from '../../packages/log/log.ts'
import { inspectPostgres } from '../../packages/postgres/inspect.ts'
import { readPostmasterPid } from '../../packages/postgres/postmaster-pid.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import type { Child } from '../../packages/testkit/child.ts'
import { ownPlace, runCommand, startCommand, type OwnPlace } from '../../packages/testkit/corridor-command.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { testDatabase } from '../../packages/testkit/test-database.ts'
import { newName } from '../faults/crowd/numbered-messages.ts'
import { numbered, Senders } from '../faults/crowd/senders.ts'
import { loggedMessages } from '../faults/findings/logged-messages.ts'

/** What the built command does as a process. What it says and refuses is shown in apps/corridor. */
describe('corridor start with a database of its own', () => {
  let place: OwnPlace
  let corridor: Child
  const health = (host: string) => `http://${host}:${place.environment['CORRIDOR_AUTH_PORT']}/actuator/health`
  const status = async (host = '127.0.0.1') => (await fetch(health(host))).status

  beforeAll(async () => {
    place = await ownPlace()
    corridor = await startCommand(['start', '--demo'], place)
    await corridor.waitForLine(/^Corridor is ready$/)
  }, 120_000)
  afterAll(async () => {
    await corridor?.[Symbol.asyncDispose]()
    await place?.[Symbol.asyncDispose]()
  })

  it('prints where everything is and what to try, and says that it is ready', async () => {
    const printed = corridor.lines.join('\n')
    expect(printed).toContain(`Authorization server  http://localhost:${place.environment['CORRIDOR_AUTH_PORT']}`)
    expect(printed).toContain('npm run --silent corridor -- tour')
    expect(await Promise.all(['127.0.0.1', '[::1]'].map(status))).toEqual([200, 200])
  })

  it('holds its data directory: another one is refused, and leaves this one alone', async () => {
    await using other = await ownPlace()
    const dataDir = place.environment['CORRIDOR_DATA_DIR'] ?? ''
    const refused = await runCommand(['start', 'auth', '--demo'], other, { CORRIDOR_DATA_DIR: dataDir })
    expect(refused).toEqual({
      code: 1,
      out: '',
      err:
        `The data directory ${dataDir} is held by another running Corridor (process ${corridor.pid}). ` +
        'Stop it, or set CORRIDOR_DATA_DIR to another folder.',
    })
    expect(await status()).toBe(200)
  })

  it('lets a command see while it runs that nothing waits to be migrated', async () => {
    expect(await runCommand(['migrate', '--check', '--demo'], place)).toMatchObject({
      ...{ code: 0, out: 'The database is up to date.' },
    })
  })

  it('is backed up under load as the documentation says, and has what was acknowledged where that is restored', async () => {
    const [backup = [], verify = [], restore = []] = documentedBackup(join(place.folder, 'backup'))
    const port = () => Number(place.environment['CORRIDOR_BRIDGE_MLLP_PORT'])
    const senders = new Senders(numbered('K', 8), () => ({ port, messageOf: newName }))
    senders.start()
    await senders.untilMore(40, { deadlineMs: 60_000 })
    const before = controlIds(senders)
    const made = await runCommand(backup, place)
    await senders.stop()
    expect(made).toMatchObject({ code: 0 })
    // It was under load, and went on.
    expect(senders.acknowledged).toBeGreaterThan(before.length)
    expect(await runCommand(verify, place)).toMatchObject({ code: 0 })
    expect(await runCommand(restore, place)).toMatchObject({
      ...{
        code: 1,
        err: expect.stringContaining(`is held by another running Corridor (process ${corridor.pid})`) as string,
      },
    })

    await using elsewhere = await ownPlace()
    expect(await runCommand(restore, elsewhere)).toMatchObject({ code: 0 })
    await using restored = await startCommand(['start', '--demo'], elsewhere)
    await restored.waitForLine(/^Corridor is ready$/)
    expect(await runCommand(['audit', 'verify', '--demo'], elsewhere)).toMatchObject({ code: 0 })
    const found = await inspectPostgres(join(elsewhere.folder, 'data'))
    await inDatabase(found.state === 'running' ? found.url : '', async (on) => {
      // What was at work then is taken up again.
      await expect.poll(async () => (await loggedMessages(on)).notDoneOnce, { timeout: 60_000 }).toEqual([])
      const rows = await on.many<{ id: string }>(sql`
        select control_id as id from bridge.all_transactions where status = 'SUCCESS'
        intersect
        select (regexp_match(content, '"given":\\["N(K[0-9]+-[0-9]+)"\\]'))[1] from fhir.versions where type = 'Patient'`)
      const kept = new Set(rows.map(({ id }) => id))
      expect(before.filter((id) => !kept.has(id))).toEqual([])
    })
    expect(await restored.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  }, 120_000)

  it('brings its database back when that dies under it', async () => {
    const pidFile = join(place.folder, 'data', 'postgres', 'postmaster.pid')
    process.kill(Number((await readFile(pidFile, 'utf8')).split('\n')[0]), 'SIGKILL')
    await waitFor(async () => corridor.errorLines.some((line) => line.includes('postgres died and is started again')), {
      what: 'the death to be noticed',
      deadlineMs: 60_000,
    })
    await expect.poll(() => status(), { timeout: 60_000 }).toBe(200)
  })

  it('ends cleanly on SIGTERM and finds the same data again; killed, it adopts the database that was left', async () => {
    expect(await corridor.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    corridor = await startCommand(['start', 'auth', '--demo'], place)
    await corridor.waitForLine(/^Corridor is ready$/)
    await corridor.kill('SIGKILL')
    corridor = await startCommand(['start', 'auth', '--demo'], place, { CORRIDOR_LOG_LEVEL: 'info' })
    await corridor.waitForLine(/^Corridor is ready$/)
    await expect.poll(() => corridor.errorLines.join('\n')).toContain('postgres.adopted')
    // As a terminal and the launcher send it together.
    process.kill(corridor.pid, 'SIGINT')
    expect(await corridor.kill('SIGINT')).toEqual({ code: 0, signal: null })
  }, 120_000)
})

/** The words of its commands, with a folder of ours in the place of the one that they name. */
function documentedBackup(folder: string): string[][] {
  const page = readFileSync(new URL('docs/operations.md', projectRoot()), 'utf8')
  const block = /```sh\n(corridor backup [^`]*)```/.exec(page)?.[1] ?? ''
  return block
    .trim()
    .split('\n')
    .map((line) =>
      line
        .replace(/ +#.*/, '')
        .replace(/\/mnt\S+/, folder)
        .split(' ')
        .slice(1),
    )
}

/** Of every message that was answered by now. */
const controlIds = ({ each }: Senders) =>
  each.flatMap(({ patient, acknowledged }) =>
    Array.from({ length: acknowledged }, (_, index) => `${patient}-${index + 1}`),
  )

describe('corridor start that is told to stop before it is ready', () => {
  const stopped = { code: 0, signal: null }

  it.each([
    ['starts its database', '"event":"postgres.starting"'],
    ['writes the demo data', '"event":"migrated"'],
  ])('ends with 0 while it %s, and leaves no database running', async (_what, moment) => {
    await using place = await ownPlace()
    await using corridor = await startCommand(['start', '--demo'], place, { CORRIDOR_LOG_LEVEL: 'info' })
    await errorLine(corridor, moment)
    expect(await corridor.kill('SIGTERM')).toEqual(stopped)
    expect(corridor.errorLines).toContain('Stopping …')
    expect(corridor.lines).toEqual([])
    expect(await readPostmasterPid(join(place.folder, 'data', 'postgres'))).toBeUndefined()
    // Whatever it was at, the next start finds nothing in its way.
    expect(await runCommand(['migrate', '--demo'], place)).toMatchObject({ code: 0 })
  })

  it('ends with 0 while it waits for another copy that migrates, and takes nothing from that', async () => {
    await using database = await testDatabase()
    await using place = await ownPlace()
    const shared = { CORRIDOR_DATABASE_URL: database.url }
    await runCommand(['migrate', '--demo'], place, shared)
    await inDatabase(database.url, async (on) => {
      await on.run(
        sql`delete from kit.migrations where owner = 'auth' and number = (select max(number) from kit.migrations where owner = 'auth')`,
      )
      await on.run(sql`insert into kit.migration_lock values (1, gen_random_uuid(), now() + interval '1 hour')`)
    })
    await using corridor = await startCommand(['start', '--demo'], place, shared)
    await errorLine(corridor, 'Bringing the database up to date: another copy is at it …')
    expect(await corridor.kill('SIGINT')).toEqual(stopped)
    expect([corridor.lines, corridor.errorLines.at(-1)]).toEqual([[], 'Stopping …'])
    expect(await inDatabase(database.url, (on) => on.many(sql`select 1 from kit.migration_lock`))).toHaveLength(1)
  })
})

async function errorLine(child: Child, words: string): Promise<void> {
  await expect.poll(() => child.errorLines.join('\n'), { timeout: 60_000 }).toContain(words)
}

describe('two copies against one PostgreSQL', () => {
  it('both come up, and every migration ran once', async () => {
    await using database = await testDatabase()
    await using one = await ownPlace()
    await using two = await ownPlace()
    const shared = { CORRIDOR_DATABASE_URL: database.url, CORRIDOR_LOG_LEVEL: 'info' }
    await using first = await startCommand(['start', '--demo'], one, shared)
    await using second = await startCommand(['start', '--demo'], two, shared)
    await Promise.all([first.waitForLine(/^Corridor is ready$/), second.waitForLine(/^Corridor is ready$/)])
    const applied = () =>
      [first, second]
        .flatMap(({ errorLines }) => errorLines.filter((line) => line.includes('"event":"migrated"')))
        .reduce((sum, line) => sum + (JSON.parse(line) as { count: number }).count, 0)
    const check = await runCommand(['migrate', '--check', '--demo'], one, shared)
    expect(check).toMatchObject({ code: 0, out: 'The database is up to date.' })
    const rows = await migrationRows(database.url)
    // What a program says of itself comes through another pipe than that it is ready.
    await expect.poll(applied).toBe(rows)
    const ends = await Promise.all([first.kill('SIGTERM'), second.kill('SIGTERM')])
    expect(ends).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ])
  }, 120_000)
})

const migrationRows = async (url: string) =>
  (await inDatabase(url, (on) => on.one<{ count: number }>(sql`select count(*)::int as count from kit.migrations`)))
    .count

async function inDatabase<Result>(url: string, work: (on: Database) => Promise<Result>): Promise<Result> {
  const database = await openDatabase({ url, log: silentLog })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
