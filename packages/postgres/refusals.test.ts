import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../log/log.ts'
import { installedPackage } from './binaries.ts'
import { checkSpace } from './data-dir.ts'
import { type EmbeddedPostgres, ensurePostgres, type EnsureOptions } from './ensure.ts'
import { inspectPostgres } from './inspect.ts'
import { temporaryDataDir, type TemporaryDataDir } from './fixtures/temporary-data-dir.ts'

describe('the embedded PostgreSQL', () => {
  let place: TemporaryDataDir
  let running: EmbeddedPostgres
  const ensure = (options: Partial<EnsureOptions> = {}) =>
    ensurePostgres({ dataDir: place.dataDir, log: silentLog, durable: false, ...options })

  beforeAll(async () => {
    place = await temporaryDataDir()
    running = await ensure()
  })
  afterAll(() => place[Symbol.asyncDispose]())

  it('refuses when the server that runs does not know the password that was kept', async () => {
    const password = await readFile(place.layout.password, 'utf8')
    await writeFile(place.layout.password, 'another')
    await expect(ensure()).rejects.toMatchObject({ kind: 'incorrect', code: 'POSTGRES_PASSWORD_LOST' })
    await writeFile(place.layout.password, password)
    expect(await ensure()).toMatchObject({ adopted: true })
  })

  it('is told from one that does not run while its process is there and says nothing', async () => {
    process.kill(running.pid, 'SIGSTOP')
    const silent = await inspectPostgres(place.dataDir, { connectTimeoutMs: 100 })
    process.kill(running.pid, 'SIGCONT')
    expect(silent).toEqual({ state: 'silent', major: '18', pid: running.pid })
    expect(await inspectPostgres(place.dataDir)).toMatchObject({ state: 'running' })
  })

  it('refuses when the password was lost, and says how to go on', async () => {
    const password = await readFile(place.layout.password, 'utf8')
    await rm(place.layout.password)
    await expect(ensure()).rejects.toMatchObject({
      kind: 'incorrect',
      code: 'POSTGRES_PASSWORD_LOST',
      message:
        `The password of the embedded PostgreSQL is lost: ${place.layout.password} is missing or empty, but ` +
        `${place.layout.cluster} holds data. Restore the file from a backup of the data directory.`,
    })
    await writeFile(place.layout.password, password)
  })

  it('refuses the data of another major version, and says how to go on', async () => {
    await running.stop()
    const path = join(place.layout.cluster, 'PG_VERSION')
    const version = await readFile(path, 'utf8')
    await writeFile(path, '15\n')
    await expect(ensure()).rejects.toMatchObject({
      kind: 'incorrect',
      code: 'POSTGRES_OTHER_MAJOR',
      message: expect.stringContaining('was made by PostgreSQL 15, and this Corridor brings PostgreSQL 18.'),
    })
    await writeFile(path, version)
  })

  it.each([
    ['a link to a disk that is not mounted', () => symlink(join(place.folder, 'disk'), place.layout.cluster)],
    ['an empty folder, where a disk is mounted otherwise', () => mkdir(place.layout.cluster)],
  ])('refuses %s in place of its data, and starts once they are back', async (_what, stand) => {
    const away = join(place.folder, 'away')
    await rename(place.layout.cluster, away)
    await stand()
    const refusal = { kind: 'unavailable', code: 'POSTGRES_NO_DATA' }
    await expect(ensure()).rejects.toMatchObject(refusal)
    await expect(inspectPostgres(place.dataDir)).rejects.toMatchObject(refusal)
    await rm(place.layout.cluster, { recursive: true })
    await rename(away, place.layout.cluster)
    const again = await ensure()
    expect(again).toMatchObject({ firstStart: false })
    await again.stop()
  })

  it('keeps the password when its data were moved away, so that they can come back', async () => {
    const away = join(place.folder, 'away')
    await rename(place.layout.cluster, away)
    const made = await ensure()
    expect(made).toMatchObject({ firstStart: true })
    await made.stop()
    await rm(place.layout.cluster, { recursive: true })
    await rename(away, place.layout.cluster)
    const again = await ensure()
    expect(again).toMatchObject({ firstStart: false })
    await again.stop()
  })

  it('refuses a port that was asked for and is busy', async () => {
    await using busy = await listen()
    await expect(ensure({ port: busy.port })).rejects.toMatchObject({ kind: 'conflict', code: 'POSTGRES_PORT_BUSY' })
  })

  it('takes another port when something else has the one of the last start, and remembers it', async () => {
    await using busy = await listen()
    await writeFile(place.layout.port, `${busy.port}\n`)
    const moved = await ensure()
    const port = Number(new URL(moved.url).port)
    expect(port).not.toBe(busy.port)
    expect(Number(await readFile(place.layout.port, 'utf8'))).toBe(port)
    await moved.stop()
  })

  it('says why it does not start, and starts again once the cause is gone', async () => {
    const path = join(place.layout.cluster, 'pg_hba.conf')
    const rules = await readFile(path, 'utf8')
    await writeFile(path, 'nonsense\n')
    await expect(ensure()).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'POSTGRES_NOT_STARTED',
      message: `The embedded PostgreSQL did not start: could not load ${path}. ${place.layout.log} says more.`,
      logged: expect.stringContaining('pg_hba.conf'),
    })
    await writeFile(path, rules)
    const again = await ensure()
    expect(again).toMatchObject({ adopted: false, firstStart: false })
    await again.stop()
  })
})

describe('a machine without a PostgreSQL', () => {
  const sentence =
    `There is no embedded PostgreSQL that runs on this machine (${process.platform} ${process.arch}). ` +
    'Set CORRIDOR_DATABASE_URL to a PostgreSQL of your own, version 15 or later.'

  it('because npm has none is told to set a database URL', () => {
    expect(() => installedPackage('plan9', 'mips')).toThrow(sentence)
  })

  it('because the program is for another system is told the same, and nothing is left behind', async () => {
    await using place = await temporaryDataDir()
    const packageFolder = join(place.folder, 'package')
    const program = join(packageFolder, 'native', 'bin', 'postgres')
    await mkdir(join(packageFolder, 'native', 'bin'), { recursive: true })
    // What the kernel says of a program whose loader does not exist, such as one for glibc on a musl system.
    await writeFile(program, '#!/no/such/loader\n')
    await chmod(program, 0o755)
    await expect(
      ensurePostgres({ dataDir: place.dataDir, log: silentLog, durable: false, packageFolder }),
    ).rejects.toMatchObject({ kind: 'unavailable', code: 'POSTGRES_NO_BINARY', message: sentence })
  })
})

describe('a disk', () => {
  const free = (megabytes: number) => async () => megabytes * 1024 * 1024

  it.each([
    [300, true],
    [40, false],
  ])('with %i MB is enough (first start: %s)', async (megabytes, firstStart) => {
    await expect(checkSpace('/data', { firstStart }, free(megabytes))).resolves.toBeUndefined()
  })

  it.each([
    [200, true],
    [20, false],
  ])('with %i MB is too full, and the sentence says so (first start: %s)', async (megabytes, firstStart) => {
    await expect(checkSpace('/data', { firstStart }, free(megabytes))).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'DATA_DIR_FULL',
      message:
        'There is not enough free disk space for the data directory /data. ' +
        'Free at least 256 MB there, or set CORRIDOR_DATA_DIR to a folder on another disk.',
    })
  })
})

async function listen() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
