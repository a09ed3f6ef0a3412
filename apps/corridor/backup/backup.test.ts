import { createHash } from 'node:crypto'
import { appendFile, cp, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assert } from '../../../packages/faults/fault.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { ensurePostgres, type EmbeddedPostgres } from '../../../packages/postgres/ensure.ts'
import { query } from '../../../packages/postgres/fixtures/query.ts'
import { temporaryDataDir, type TemporaryDataDir } from '../../../packages/postgres/fixtures/temporary-data-dir.ts'
import { inspectPostgres } from '../../../packages/postgres/inspect.ts'
import { layoutOf } from '../../../packages/postgres/layout.ts'
import { fullDisk } from '../../../packages/testkit/full-disk.ts'
import { runCommandLine } from '../command-line.ts'
import type { Manifest } from './manifest.ts'

/** That it works under load, as a process and beside a Corridor, is shown in test/flows. */
describe('a backup of the embedded database', () => {
  let place: TemporaryDataDir
  let postgres: EmbeddedPostgres
  let made: string

  beforeAll(async () => {
    place = await temporaryDataDir()
    postgres = await ensurePostgres({ dataDir: place.dataDir, log: silentLog })
    await query(postgres.superuserUrl, 'create table kept as select 7 as id')
    await mkdir(join(place.dataDir, 'keys'), { mode: 0o700 })
    await writeFile(join(place.dataDir, 'keys', 'sealing-key'), 'a key\n', { mode: 0o600 })
    made = join(place.folder, 'made')
    const { code, err } = await run('backup', made)
    assert(code === 0, err)
  })
  afterAll(() => place[Symbol.asyncDispose]())

  async function corridor(words: readonly string[], more: Readonly<Record<string, string>>, signal?: Promise<string>) {
    let [out, err] = ['', '']
    const code = await runCommandLine(words, {
      terminal: {
        ...{ isInteractive: false, hasColour: false },
        out: (text: string) => void (out += text),
        err: (text: string) => void (err += text),
      },
      signals: { first: () => signal ?? new Promise(() => {}) },
      environment: { CORRIDOR_DATA_DIR: place.dataDir, ...more },
      input: new PassThrough().end(),
    })
    // What takes more than a second on a busy machine is told while it lasts.
    const told = err.split('\n').filter((line) => !/ …( done in .*)?$/.test(line))
    return { code, out: out.trimEnd(), err: told.join('\n').trimEnd() }
  }
  const run = (...words: readonly string[]) => corridor(words, {})
  const restoreInto = (dataDir: string, folder = made) => corridor(['restore', folder], { CORRIDOR_DATA_DIR: dataDir })
  const manifestOf = async (folder: string) =>
    JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest

  /** What was made for a case is gone after it. */
  async function copyOf(name: string): Promise<string> {
    const copy = join(place.folder, name)
    await cp(made, copy, { recursive: true })
    return copy
  }

  it('is one folder, closed to others, that says what is in it', async () => {
    const { takenAt, postgres: version, files } = await manifestOf(made)
    expect(Math.abs(Date.parse(takenAt) - Date.now())).toBeLessThan(600_000)
    expect(version).toMatch(/^18\.\d+$/)
    expect((await stat(made)).mode & 0o777).toBe(0o700)
    const paths = files.map(({ path }) => path)
    expect(paths).toEqual(
      expect.arrayContaining([
        ...[
          'keys/sealing-key',
          'data/postgres.password',
          'data/postgres/backup_label',
          'data/postgres/global/pg_control',
        ],
      ]),
    )
    expect(paths.filter((path) => /pg_wal\/[\dA-F]{24}$/.test(path)).length).toBeGreaterThan(0)
    expect(paths.filter((path) => /postmaster|pg_internal|postgres\.(port|log|lock)|corridor\./.test(path))).toEqual([])
    expect(await readdir(place.folder)).not.toContain('made.unfinished')
  })

  it('leaves nothing in the server that holds anything back', async () => {
    expect(await query(postgres.superuserUrl, 'select slot_name from pg_replication_slots')).toEqual([])
  })

  it('is restored into a folder that is not there, with its keys, and starts there', async () => {
    const dataDir = join(place.folder, 'restored')
    const restored = await restoreInto(dataDir)
    expect(restored).toMatchObject({ code: 0, err: '' })
    expect(restored.out).toContain(`It is restored in ${dataDir}.`)
    expect(await readFile(join(dataDir, 'keys', 'sealing-key'), 'utf8')).toBe('a key\n')
    expect((await stat(join(dataDir, 'keys', 'sealing-key'))).mode & 0o777).toBe(0o600)
    expect(await readdir(dataDir)).not.toContain('corridor.restoring')
    const copy = await ensurePostgres({ dataDir, log: silentLog })
    try {
      expect(copy).toMatchObject({ firstStart: false })
      expect(await query(copy.superuserUrl, 'select id from kept')).toEqual([{ id: 7 }])
    } finally {
      await copy.stop()
      await rm(dataDir, { recursive: true })
    }
  })

  it('puts keys where this configuration has them', async () => {
    const [dataDir, keys] = [join(place.folder, 'apart'), join(place.folder, 'apart-keys')]
    const more = { CORRIDOR_DATA_DIR: dataDir, CORRIDOR_AUTH_KEY_DIRECTORY: keys }
    expect(await corridor(['restore', made], more)).toMatchObject({ code: 0 })
    expect([await readdir(keys), (await readdir(dataDir)).includes('keys')]).toEqual([['sealing-key'], false])
    expect(await corridor(['restore', made], { ...more, CORRIDOR_DATA_DIR: `${dataDir}-again` })).toMatchObject({
      ...{
        code: 1,
        err: expect.stringMatching(/^The key directory \S+ is not empty, and a restore is written/) as string,
      },
    })
    for (const path of [dataDir, keys]) await rm(path, { recursive: true })
  })

  it.each([
    {
      what: 'a folder that is there',
      words: () => ['backup', made],
      says: /^\S+made is there already, and a backup is written over nothing\. Name another folder\.$/,
    },
    {
      what: 'a place in the data directory',
      words: () => ['backup', join(place.dataDir, 'mine')],
      says: /^A backup in \S+data is lost together with what it is a copy of\. Name a folder elsewhere\.$/,
    },
    {
      what: 'a disk that is not mounted',
      words: () => ['backup', join(place.folder, 'disk', 'mine')],
      says: /^The folder \S+disk is not there\. Make it, or mount the disk that it lies on\.$/,
    },
    {
      what: 'a data directory without a database',
      more: { CORRIDOR_DATA_DIR: '/nowhere' },
      words: () => ['backup', join(place.folder, 'nothing')],
      says: /^There is nothing to back up: the data directory \/nowhere has no database\./,
    },
    {
      what: 'a database of somebody else',
      more: { CORRIDOR_DATABASE_URL: 'postgres://corridor:hush@127.0.0.1:1/corridor' },
      words: () => ['backup', join(place.folder, 'theirs')],
      says: /^database\.url names a PostgreSQL of your own, .*pg_basebackup.*pg_dump.*docs\/operations\.md\.$/,
    },
    {
      what: 'a restore of what is no backup',
      words: () => ['restore', place.dataDir],
      says: /^\S+data is no backup of Corridor: it has no manifest\.json/,
    },
    {
      what: 'a restore over data',
      words: () => ['restore', made],
      says: /^The data directory \S+data is not empty, and a restore is written over nothing\. Move it away, or set CORRIDOR_DATA_DIR/,
    },
  ])('refuses $what in one sentence and leaves nothing behind', async ({ words, more = {}, says }) => {
    const names = await readdir(place.folder)
    const refused = await corridor(words(), more)
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(says) as string })
    expect(refused.err).not.toContain('hush')
    expect(await readdir(place.folder)).toEqual(names)
  })

  it('refuses a place in the cluster, on whatever disk that lies', async () => {
    await using elsewhere = await temporaryDataDir()
    const cluster = join(elsewhere.folder, 'other-disk')
    await mkdir(cluster)
    await mkdir(elsewhere.dataDir, { recursive: true })
    await symlink(cluster, layoutOf(elsewhere.dataDir).cluster)
    const refused = await corridor(['backup', join(cluster, 'mine')], { CORRIDOR_DATA_DIR: elsewhere.dataDir })
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('is lost together with') as string })
  })

  it('that is told to stop leaves nothing behind', async () => {
    const names = await readdir(place.folder)
    const stopped = await corridor(['backup', join(place.folder, 'stopped')], {}, Promise.resolve('SIGTERM'))
    expect(stopped).toMatchObject({ code: 1, out: '', err: 'Stopped. Nothing half-written is left.' })
    expect(await readdir(place.folder)).toEqual(names)
  })

  it.runIf(process.getuid?.() === 0).each([
    ['before it begins', {}],
    ['in the middle of it', { files: 100 }],
  ])('finds a disk full %s, says so and leaves nothing behind', async (_when, room) => {
    await using disk = await fullDisk(room)
    const before = await readdir(disk?.folder ?? '')
    const refused = await run('backup', join(disk?.folder ?? '', 'mine'))
    expect(refused).toMatchObject({
      ...{ code: 1, out: '' },
      err: expect.stringMatching(
        /^There is not enough free disk space for a backup in .* Nothing of it is left there;/,
      ) as string,
    })
    expect(await readdir(disk?.folder ?? '')).toEqual(before)
  })

  it('is known to be whole, and what was done to it since is named', async () => {
    expect(await run('backup', 'verify', made)).toMatchObject({
      ...{ code: 0, err: '', out: expect.stringMatching(/ \d+ files, \d+\.\d MB\. It is whole\.$/) as string },
    })
    const copy = await copyOf('altered')
    await appendFile(join(copy, 'data/postgres/PG_VERSION'), ' ')
    await rm(join(copy, 'keys/sealing-key'))
    await writeFile(join(copy, 'data/postgres/recovery.signal'), '')
    expect(await run('backup', 'verify', copy)).toMatchObject({
      ...{ code: 1, err: '' },
      out: [
        'data/postgres/PG_VERSION was changed.',
        'data/postgres/recovery.signal is none of its files.',
        'keys/sealing-key is missing.',
      ].join('\n'),
    })
    await rm(copy, { recursive: true })
  })

  it('that was altered is not restored, nor any of it', async () => {
    const copy = await copyOf('altered')
    const path = join(copy, 'data/postgres/PG_VERSION')
    await appendFile(path, ' ')
    const dataDir = join(place.folder, 'spoilt')
    expect(await restoreInto(dataDir, copy)).toMatchObject({
      ...{ code: 1, out: '' },
      err: `${path} is not what was written into the backup. Nothing was restored; take another backup.`,
    })
    expect(await readdir(dataDir)).toEqual(['corridor.lock'])
    // So that another one can be.
    expect(await restoreInto(dataDir)).toMatchObject({ code: 0 })
    for (const folder of [copy, dataDir]) await rm(folder, { recursive: true })
  })

  it('of which a file is missing is not restored, and nobody is sent after rights that are not the reason', async () => {
    const copy = await copyOf('lacking')
    const path = join(copy, 'data/postgres/PG_VERSION')
    await rm(path)
    const dataDir = join(place.folder, 'lacking-restored')
    expect(await restoreInto(dataDir, copy)).toMatchObject({
      ...{ code: 1, out: '' },
      err: `${path} is missing in the backup. Nothing was restored; take another backup.`,
    })
    for (const folder of [copy, dataDir]) await rm(folder, { recursive: true })
  })

  it('is restored once, however many restores come at once', async () => {
    const dataDir = join(place.folder, 'wanted')
    const ends = await Promise.all([1, 2, 3].map(() => restoreInto(dataDir)))
    expect(ends.filter(({ code }) => code === 0)).toHaveLength(1)
    for (const { code, err } of ends) expect(err).toMatch(code === 0 ? /^$/ : / is (?:held by another|not empty)/)
    const copy = await ensurePostgres({ dataDir, log: silentLog })
    const rows = await query(copy.superuserUrl, 'select id from kept')
    await copy.stop()
    expect(rows).toEqual([{ id: 7 }])
    await rm(dataDir, { recursive: true })
  })

  it('is restored with its own keys or not at all, where another is restored into the same key directory', async () => {
    const other = await copyOf('other')
    const manifest = await manifestOf(other)
    await writeFile(join(other, 'keys/sealing-key'), 'another key\n')
    const sha256 = createHash('sha256').update('another key\n').digest('hex')
    const files = manifest.files.map((file) =>
      file.path === 'keys/sealing-key' ? { ...file, bytes: 'another key\n'.length, sha256 } : file,
    )
    await writeFile(join(other, 'manifest.json'), JSON.stringify({ ...manifest, files }))
    const keys = join(place.folder, 'shared-keys')
    const restores = [made, other].map((folder) => ({ folder, dataDir: `${folder}-restored` }))
    const ends = await Promise.all(
      restores.map(({ folder, dataDir }) =>
        corridor(['restore', folder], { CORRIDOR_DATA_DIR: dataDir, CORRIDOR_AUTH_KEY_DIRECTORY: keys }),
      ),
    )
    const took = ends.findIndex(({ code }) => code === 0)
    expect(ends[1 - took]).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The key directory \S+ is not empty/) as string,
    })
    expect(await readFile(join(keys, 'sealing-key'), 'utf8')).toBe(['a key\n', 'another key\n'][took])
    expect(await readdir(restores[1 - took]?.dataDir ?? '')).toEqual(['corridor.lock'])
    for (const path of [keys, other, ...restores.map(({ dataDir }) => dataDir)]) await rm(path, { recursive: true })
  })

  it('whose manifest leads elsewhere is not followed there', async () => {
    const copy = await copyOf('hostile')
    const { files, ...rest } = await manifestOf(copy)
    const text = JSON.stringify({ ...rest, files: [{ ...files[0], path: 'data/../../escaped' }] })
    await writeFile(join(copy, 'manifest.json'), text)
    const refused = await restoreInto(join(place.folder, 'target'), copy)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('manifest.json is damaged') as string })
    expect(await readdir(place.folder)).not.toContain('target')
    await rm(copy, { recursive: true })
  })

  it('that was restored half-way is data to no start', async () => {
    const dataDir = join(place.folder, 'half')
    await restoreInto(dataDir)
    const { cluster, restoring } = layoutOf(dataDir)
    await rename(cluster, `${cluster}-away`)
    await writeFile(restoring, '')
    const refusal = { kind: 'unavailable', code: 'DATA_DIR_HALF_RESTORED' }
    await expect(ensurePostgres({ dataDir, log: silentLog })).rejects.toMatchObject(refusal)
    await expect(inspectPostgres(dataDir)).rejects.toMatchObject(refusal)
    await rm(dataDir, { recursive: true })
  })

  it('is made of a database that does not run, too, and leaves it stopped', async () => {
    await query(postgres.superuserUrl, 'insert into kept values (8)')
    await postgres.stop()
    const [folder, dataDir] = [join(place.folder, 'cold'), join(place.folder, 'thawed')]
    expect(await run('backup', folder)).toMatchObject({ code: 0, err: '' })
    expect(await inspectPostgres(place.dataDir)).toMatchObject({ state: 'stopped' })
    expect(await restoreInto(dataDir, folder)).toMatchObject({ code: 0 })
    const copy = await ensurePostgres({ dataDir, log: silentLog })
    const rows = await query(copy.superuserUrl, 'select id from kept order by id')
    await copy.stop()
    expect(rows).toEqual([{ id: 7 }, { id: 8 }])
  })
})
