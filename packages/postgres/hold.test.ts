import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assert, Fault } from '../faults/fault.ts'
import { fullDisk } from '../testkit/full-disk.ts'
import { startCorridorLike } from './fixtures/start-corridor-like.ts'
import { temporaryDataDir } from './fixtures/temporary-data-dir.ts'
import { holdDataDir } from './hold.ts'

describe('a data directory', () => {
  it('is held by one Corridor at a time, and the second is told by which', async () => {
    await using place = await temporaryDataDir()
    const held = await holdDataDir(place.dataDir)
    const { child, answer } = await startCorridorLike({ dataDir: place.dataDir, holdOnly: true })
    await child.ended
    expect(answer.fault).toEqual({
      kind: 'conflict',
      code: 'DATA_DIR_HELD',
      message:
        `The data directory ${place.dataDir} is held by another running Corridor (process ${process.pid}). ` +
        'Stop it, or set CORRIDOR_DATA_DIR to another folder.',
    })
    await held.release()
  })

  it('is refused inside one process too', async () => {
    await using place = await temporaryDataDir()
    const held = await holdDataDir(place.dataDir)
    await expect(holdDataDir(place.dataDir)).rejects.toMatchObject({ code: 'DATA_DIR_HELD' })
    await held.release()
  })

  it('is free again once it was released', async () => {
    await using place = await temporaryDataDir()
    await holdAndRelease(place.dataDir)
    await expect(holdAndRelease(place.dataDir)).resolves.toBeUndefined()
  })

  it('is free again at once when its holder was killed', async () => {
    await using place = await temporaryDataDir()
    const { child, answer } = await startCorridorLike({ dataDir: place.dataDir, holdOnly: true })
    expect(answer.fault).toBeUndefined()
    await expect(holdDataDir(place.dataDir)).rejects.toThrow(`(process ${child.pid})`)
    await child.kill('SIGKILL')
    await expect(holdAndRelease(place.dataDir)).resolves.toBeUndefined()
  })

  it('is not held by a process id in a file, even one that runs', async () => {
    await using place = await temporaryDataDir()
    await mkdir(place.dataDir)
    await writeFile(place.layout.holder, `${process.pid}\n`)
    await expect(holdAndRelease(place.dataDir)).resolves.toBeUndefined()
  })

  it('on a disk without room can be held, by nobody that could be named, and the start says what is missing', async ({
    skip,
  }) => {
    await using disk = await fullDisk()
    skip(disk === undefined, 'this user may mount nothing')
    assert(disk !== undefined, 'it is there')
    const dataDir = join(disk.folder, 'data')
    const { child, answer } = await startCorridorLike({ dataDir, stop: true })
    await child.ended
    expect(answer.fault).toEqual({
      kind: 'unavailable',
      code: 'DATA_DIR_FULL',
      message:
        `There is not enough free disk space for the data directory ${dataDir}. ` +
        'Free at least 256 MB there, or set CORRIDOR_DATA_DIR to a folder on another disk.',
    })
    // The names of the locks, and nothing half-written.
    expect((await readdir(dataDir)).toSorted()).toEqual(['corridor.lock', 'postgres.lock'])
    const held = await holdDataDir(dataDir)
    await expect(holdDataDir(dataDir)).rejects.toThrow('held by another running Corridor (process unknown)')
    await held.release()
  })

  it.each([
    ['file', 'file is a file. Move it away'],
    ['file/data', 'file is a file. Move it away'],
    ['link', 'link is a link to /nowhere/disk, which is not there. Mount the disk that it lies on'],
  ])('that cannot be made, as %s, is refused with a sentence that says what to do', async (name, says) => {
    await using place = await temporaryDataDir()
    await writeFile(join(place.folder, 'file'), '')
    await symlink('/nowhere/disk', join(place.folder, 'link'))
    const refused = await holdDataDir(join(place.folder, name)).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Fault)
    expect(refused).toMatchObject({
      code: 'DATA_DIR_UNWRITABLE',
      message:
        `The data directory ${join(place.folder, name)} cannot be used: ${join(place.folder, says)}, ` +
        'or set CORRIDOR_DATA_DIR to another folder.',
    })
  })

  it('below a folder that takes none is refused as well, and not tried for ever', async () => {
    await expect(holdDataDir('/proc/corridor/data')).rejects.toThrow(
      'The data directory /proc/corridor/data cannot be written (ENOENT).',
    )
  })
})

const holdAndRelease = async (dataDir: string) => (await holdDataDir(dataDir)).release()
