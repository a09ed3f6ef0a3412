import { readdir, readlink, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { silentLog } from '../log/log.ts'
import { ensurePostgres } from './ensure.ts'
import { copyPackage } from './fixtures/package-copy.ts'
import { query } from './fixtures/query.ts'
import { temporaryDataDir } from './fixtures/temporary-data-dir.ts'

const isRoot = process.getuid?.() === 0

it('runs from a clone, and on data, under a folder that only the user who starts Corridor may enter', async () => {
  await using place = await temporaryDataDir({ isOnDisk: true, mode: 0o700 })
  await using system = await temporaryDataDir({ isOnDisk: true })
  const packageFolder = await copyPackage(place.folder)
  const progress: string[] = []
  const ensure = () =>
    ensurePostgres({
      dataDir: place.dataDir,
      packageFolder,
      copyPlaces: [system.dataDir],
      log: silentLog,
      durable: false,
      onProgress: (text) => progress.push(text),
    })

  const first = await ensure()
  await query(first.url, 'create table kept as select 7 as id')
  expect(await ensure()).toMatchObject({ adopted: true })
  process.kill(first.pid, 'SIGKILL')
  const again = await ensure()
  expect(await query(again.url, 'select id from kept')).toEqual([{ id: 7 }])

  // The data never leaves the data directory, and nobody's permissions are widened.
  expect(await readdir(place.layout.cluster)).toContain('PG_VERSION')
  expect((await stat(place.folder)).mode & 0o777).toBe(0o700)
  const [name = ''] = await readdir(system.dataDir).catch(() => [])
  const [shown] = await query(again.superuserUrl, `select current_setting('data_directory') as folder`)
  expect({
    dataDirectory: shown?.['folder'],
    worksIn: await readlink(`/proc/${again.pid}/cwd`),
    program: dirname(await readlink(`/proc/${again.pid}/exe`)),
    isRootsCluster: (await stat(place.layout.cluster)).uid === 0,
    copies: progress.filter((text) => text.startsWith('Copying')).length,
  }).toEqual({
    worksIn: place.layout.cluster,
    isRootsCluster: false,
    ...(isRoot
      ? // The server runs as another user, who cannot enter: it was put into the folder, and its programs are a copy.
        { dataDirectory: '/proc/self/cwd', program: join(system.dataDir, name, 'native/bin'), copies: 1 }
      : { dataDirectory: place.layout.cluster, program: join(packageFolder, 'native/bin'), copies: 0 }),
  })
})
