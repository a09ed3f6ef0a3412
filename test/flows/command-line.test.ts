import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import type { Child } from '../../packages/testkit/child.ts'
import { ownPlace, runCommand, startCommand, type OwnPlace } from '../../packages/testkit/corridor-command.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { testDatabase } from '../../packages/testkit/test-database.ts'

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

async function migrationRows(url: string): Promise<number> {
  const database = await openDatabase({ url, log: silentLog })
  try {
    return (await database.one<{ count: number }>(sql`select count(*)::int as count from kit.migrations`)).count
  } finally {
    await database.close()
  }
}
