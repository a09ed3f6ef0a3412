import { mkdir, mkdtempDisposable, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { copyAssets } from './build.js'

it('a build takes migrations that were renamed or removed out of dist, and nothing else', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'corridor-build-'))
  const migrations = join(folder.path, 'services/consent/migrations')
  const write = async (path: string) => {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, path)
  }
  const built = async () =>
    (await readdir(join(folder.path, 'dist'), { recursive: true })).filter((file) => /\.\w+$/.test(file))
  await Promise.all(['0001-records.sql', '0002-days.sql', '0003-log.sql'].map((name) => write(join(migrations, name))))
  await write(join(folder.path, 'dist/program/main.js'))
  await copyAssets(folder.path)
  expect(await built()).toHaveLength(4)

  await rename(join(migrations, '0002-days.sql'), join(migrations, '0002-weeks.sql'))
  await rm(join(migrations, '0003-log.sql'))
  await copyAssets(folder.path)
  const inDist = [
    'program/main.js',
    ...['0001-records.sql', '0002-weeks.sql'].map((name) => `services/consent/migrations/${name}`),
  ]
  expect((await built()).sort()).toEqual(inDist)
})
