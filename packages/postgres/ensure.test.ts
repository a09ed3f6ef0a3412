import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { makeLog, silentLog } from '../log/log.ts'
import { prepareDataDir } from './data-dir.ts'
import { type EmbeddedPostgres, ensurePostgres } from './ensure.ts'
import { query } from './fixtures/query.ts'
import { startCorridorLike } from './fixtures/start-corridor-like.ts'
import { temporaryDataDir, type TemporaryDataDir } from './fixtures/temporary-data-dir.ts'
import { tryLock } from './lock.ts'
import { readPostmasterPid } from './postmaster-pid.ts'
import { processState } from './process-state.ts'
import { sendSignal } from './signals.ts'

describe('the embedded PostgreSQL', () => {
  let place: TemporaryDataDir
  let first: EmbeddedPostgres
  const progress: string[] = []
  const ensure = () =>
    ensurePostgres({ dataDir: place.dataDir, log: silentLog, onProgress: (text) => progress.push(text) })

  beforeAll(async () => {
    place = await temporaryDataDir()
    first = await ensure()
  })
  afterAll(() => place[Symbol.asyncDispose]())

  it('is made at the first start, and says so', async () => {
    expect(first).toMatchObject({ firstStart: true, adopted: false })
    expect(progress).toContain('Making a new PostgreSQL data directory')
    expect(await query(first.url, `select current_setting('server_version_num')::int >= 180000 as ok`)).toEqual([
      { ok: true },
    ])
  })

  it.each([
    ['fsync', 'on'],
    ['synchronous_commit', 'on'],
    ['full_page_writes', 'on'],
    ['data_checksums', 'on'],
    ['listen_addresses', '127.0.0.1'],
    ['unix_socket_directories', ''],
    ['allow_alter_system', 'off'],
    ['max_wal_size', '2GB'],
    ['checkpoint_timeout', '15min'],
    ['autovacuum_naptime', '15s'],
    ['max_connections', '60'],
    ['jit', 'off'],
    ['log_error_verbosity', 'terse'],
  ])('runs with %s = %s', async (name, value) => {
    expect(await query(first.superuserUrl, `select current_setting('${name}') as value`)).toEqual([{ value }])
  })

  it('keeps text as UTF-8 and sorts it without a locale of the system', async () => {
    expect(
      await query(
        first.url,
        `select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale
         from pg_database where datname = current_database()`,
      ),
    ).toEqual([{ encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8' }])
  })

  it('lets the services in as the owner of their database, without further rights', async () => {
    await query(first.url, 'create schema made_by_a_service')
    await expect(query(first.url, `select pg_read_file('postmaster.pid')`)).rejects.toMatchObject({ code: '42501' })
    await expect(query(first.url, 'create database another')).rejects.toMatchObject({ code: '42501' })
  })

  it.each(['wrong', ''])('refuses the password "%s"', async (password) => {
    const url = new URL(first.url)
    url.password = password
    await expect(query(url.href, 'select 1')).rejects.toThrow(/password/)
  })

  it('keeps its password from other users', async () => {
    expect((await stat(place.layout.password)).mode & 0o077).toBe(0)
    expect((await stat(place.layout.cluster)).mode & 0o077).toBe(0)
  })

  it('writes no statement and no value of a row into its log', async () => {
    await query(first.url, 'create table unique_names (name text primary key)')
    await query(first.url, `insert into unique_names values ('Amina Canary')`)
    await expect(query(first.url, `insert into unique_names values ('Amina Canary')`)).rejects.toThrow(/duplicate/)
    expect(await readFile(place.layout.log, 'utf8')).not.toContain('Canary')
  })

  it('is adopted by the next start while it runs', async () => {
    expect(await ensure()).toMatchObject({ adopted: true, firstStart: false, pid: first.pid, url: first.url })
  })

  it.each([
    [20, 0],
    [21, 1],
  ])(
    'is told of where it has no room for a pool of %i connections and others beside: %i lines',
    async (poolMax, times) => {
      const written: string[] = []
      const log = makeLog({ level: 'warn', sink: { write: (line) => written.push(line) }, clock: systemClock })
      expect(await ensurePostgres({ dataDir: place.dataDir, poolMax, log })).toMatchObject({
        adopted: true,
        pid: first.pid,
      })
      const told = written.filter((line) => line.includes('too little room for database.poolMax'))
      expect(told).toEqual(Array.from({ length: times }, () => expect.stringContaining('"count":60')))
    },
  )

  it('recovers by itself when its first process was killed, with everything that was committed', async () => {
    await query(first.url, 'create table kept as select 7 as id')
    process.kill(first.pid, 'SIGKILL')
    const again = await ensure()
    expect(again).toMatchObject({ adopted: false, firstStart: false })
    expect(again.pid).not.toBe(first.pid)
    expect(await query(again.url, 'select id from kept')).toEqual([{ id: 7 }])
  })

  it('recovers by itself when all of its processes were killed at once', async () => {
    const running = await ensure()
    await query(running.url, 'insert into kept values (8)')
    // Each of its processes leads a group of its own, so they are killed one by one.
    const children = await readFile(`/proc/${running.pid}/task/${running.pid}/children`, 'utf8')
    for (const pid of [running.pid, ...children.trim().split(' ').map(Number)]) await sendSignal(pid, 'SIGKILL')
    const again = await ensure()
    expect(await query(again.url, 'select id from kept order by id')).toEqual([{ id: 7 }, { id: 8 }])
  })

  it('is gone after a stop, keeps its port and its data, and is not made anew', async () => {
    const running = await ensure()
    await running.stop()
    expect(await processState(running.pid, place.layout.cluster)).toBe('gone')
    await expect(readFile(join(place.layout.cluster, 'postmaster.pid'))).rejects.toMatchObject({ code: 'ENOENT' })
    const again = await ensure()
    expect(again).toMatchObject({ adopted: false, firstStart: false, url: running.url })
    expect(await query(again.url, 'select id from kept order by id')).toEqual([{ id: 7 }, { id: 8 }])
  })

  it('stops although a client is in the middle of a transaction', async () => {
    const running = await ensure()
    const busy = query(running.url, 'select pg_sleep(60)').catch((error: unknown) => error)
    await expect
      .poll(() => query(running.superuserUrl, `select from pg_stat_activity where query like '%pg_sleep(60)'`))
      .toHaveLength(1)
    await running.stop()
    expect(await busy).toBeInstanceOf(Error)
  })

  it('may be stopped twice', async () => {
    const running = await ensure()
    await running.stop()
    await expect(running.stop()).resolves.toBeUndefined()
  })

  it('is started once when several ask at the same time', async () => {
    const all = await Promise.all([ensure(), ensure(), ensure()])
    expect(new Set(all.map(({ pid }) => pid)).size).toBe(1)
    expect(all.filter(({ adopted }) => adopted)).toHaveLength(2)
    await all[0].stop()
  })

  it('survives the sudden death of Corridor and is adopted by the next one', async () => {
    const { child, answer } = await startCorridorLike({ dataDir: place.dataDir })
    expect(answer.fault).toBeUndefined()
    await child.kill('SIGKILL')
    expect(await ensure()).toMatchObject({ adopted: true, pid: answer.pid })
  })
})

describe('a start of PostgreSQL that is stopped', () => {
  it('does not wait for another process that starts it', async () => {
    await using place = await temporaryDataDir()
    await prepareDataDir(place.dataDir)
    const other = tryLock(place.layout.startLock)
    const ensuring = ensurePostgres({ dataDir: place.dataDir, log: silentLog, stop: AbortSignal.abort() })
    await expect(ensuring).rejects.toThrow('aborted')
    other?.release()
    expect(await readdir(place.dataDir)).not.toContain('postgres')
  })

  it.each([
    ['a new data directory is made', 'Making a new PostgreSQL data directory'],
    ['the server is starting', 'postgres.starting'],
  ])('while %s leaves no server running, and hinders no later one', async (_when, moment) => {
    await using place = await temporaryDataDir()
    const stopping = new AbortController()
    const reason = new Error('stopped')
    const stopAt = (said: string) => {
      if (said.includes(moment)) stopping.abort(reason)
    }
    const log = makeLog({ level: 'info', sink: { write: stopAt }, clock: systemClock })
    const stopped = ensurePostgres({ dataDir: place.dataDir, log, onProgress: stopAt, stop: stopping.signal })
    await expect(stopped).rejects.toBe(reason)
    expect(await readPostmasterPid(place.layout.cluster)).toBeUndefined()
    expect(await serversIn(place.layout.cluster)).toEqual([])
    const later = await ensurePostgres({ dataDir: place.dataDir, log: silentLog })
    expect(await query(later.url, 'select 1 as id')).toEqual([{ id: 1 }])
  })
})

/** The processes that work in a cluster, whether they have left their mark in it or not. */
async function serversIn(cluster: string): Promise<string[]> {
  const folders = (await readdir('/proc'))
    .filter((name) => /^\d+$/.test(name))
    .map(async (pid) => [pid, await readlink(`/proc/${pid}/cwd`).catch(() => '')] as const)
  return (await Promise.all(folders)).filter(([, folder]) => folder === cluster).map(([pid]) => pid)
}
