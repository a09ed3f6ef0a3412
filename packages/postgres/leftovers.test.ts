import { execFile } from 'node:child_process'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../log/log.ts'
import { startChild } from '../testkit/child.ts'
import { type EmbeddedPostgres, ensurePostgres } from './ensure.ts'
import { type Bystander, startBystander } from './fixtures/bystander.ts'
import { query } from './fixtures/query.ts'
import { temporaryDataDir, type TemporaryDataDir } from './fixtures/temporary-data-dir.ts'
import { unfinishedPrefix } from './layout.ts'
import { processState } from './process-state.ts'
import { giveTo, runAsFor } from './run-as.ts'
import { stopServer } from './stop.ts'

describe('a start after an interruption', () => {
  let place: TemporaryDataDir
  let running: EmbeddedPostgres
  let bystander: Bystander
  const ensure = async () => {
    running = await ensurePostgres({ dataDir: place.dataDir, log: silentLog, durable: false })
    return running
  }

  beforeAll(async () => {
    place = await temporaryDataDir()
    bystander = await startBystander(await runAsFor(place.layout.cluster))
  })
  afterAll(async () => {
    bystander.kill()
    await place[Symbol.asyncDispose]()
  })

  it('throws away a cluster whose making was cut off, and makes a new one', async () => {
    const unfinished = async () => {
      const names = await readdir(place.dataDir).catch(() => [])
      return names.filter((name) => name.startsWith(unfinishedPrefix))
    }
    const child = await startChild({ script: corridorLike, args: [JSON.stringify({ dataDir: place.dataDir })] })
    await expect.poll(unfinished, { interval: 5, timeout: 20_000 }).toHaveLength(1)
    // Corridor alone: its initdb is an orphan now and may write on for a moment.
    process.kill(child.pid, 'SIGKILL')
    await child.ended
    expect(await unfinished()).toHaveLength(1)
    expect(await ensure()).toMatchObject({ firstStart: true })
    expect(await unfinished()).toEqual([])
  })

  it('makes what is missing when the first start was cut off before the services had their database', async () => {
    await query(running.superuserUrl, 'drop database corridor')
    await query(running.superuserUrl, 'drop role corridor')
    await ensure()
    expect(await query(running.url, 'select current_user as me')).toEqual([{ me: 'corridor' }])
  })

  it.each([
    ['is empty', () => ''],
    ['holds no process id', () => 'garbage\n'],
    ['names a process that is gone', () => markOf(bystander.gonePid)],
    ['names a process whose id another program got', () => markOf(bystander.pid)],
    ['names a zombie', () => markOf(bystander.zombiePid)],
  ])('succeeds with a postmaster.pid that %s', async (_case, makeText) => {
    await running.stop()
    const mark = join(place.layout.cluster, 'postmaster.pid')
    await writeFile(mark, makeText())
    await giveTo(mark, await runAsFor(place.layout.cluster))
    await utimes(mark, new Date(0), new Date(0))
    expect(await ensure()).toMatchObject({ adopted: false, firstStart: false })
    expect(bystander.isAlive()).toBe(true)
  })

  it('ends a process of the killed server that computes on and would block the new one', async () => {
    const busy = new Client({ connectionString: running.url })
    busy.on('error', () => {})
    await busy.connect()
    const survivor = (await busy.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0
    const lost = busy.query('select count(*) from generate_series(1, 100000000000)').catch((error: unknown) => error)
    await expect
      .poll(() => query(running.superuserUrl, `select from pg_stat_activity where query like '%100000000000)'`))
      .not.toHaveLength(0)
    process.kill(running.pid, 'SIGKILL')
    expect(await ensure()).toMatchObject({ adopted: false })
    expect(await processState(survivor, place.layout.cluster)).toBe('gone')
    expect(await lost).toBeInstanceOf(Error)
  })

  it('leaves alone a program that got the process id of the server it was to stop', async () => {
    await stopServer(bystander.pid, place.layout.cluster, { log: silentLog })
    expect(bystander.isAlive()).toBe(true)
  })

  it('does not take the server of a data directory that was copied while it ran', async () => {
    await query(running.superuserUrl, 'checkpoint')
    await using copy = await temporaryDataDir()
    await promisify(execFile)('cp', ['-a', place.dataDir, copy.dataDir])
    const second = await ensurePostgres({ dataDir: copy.dataDir, log: silentLog, durable: false })
    expect(second).toMatchObject({ adopted: false, firstStart: false })
    expect(second.pid).not.toBe(running.pid)
    expect(new URL(second.url).port).not.toBe(new URL(running.url).port)
  })
})

const corridorLike = new URL('fixtures/corridor-like.ts', import.meta.url)

/** Eight lines as PostgreSQL writes them. */
const markOf = (pid: number) => `${pid}\n/somewhere\n1700000000\n1\n\n127.0.0.1\n 1 1\nready   \n`
