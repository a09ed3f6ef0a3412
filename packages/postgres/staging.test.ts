import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBinaries, probe } from './binaries.ts'
import { copyPackage } from './fixtures/package-copy.ts'
import { temporaryDataDir, type TemporaryDataDir } from './fixtures/temporary-data-dir.ts'
import { runAsFor } from './run-as.ts'
import { stagedCopies } from './staging.ts'
import { makeSymlinks } from './symlinks.ts'

const onProgress = () => {}

describe('the binaries', () => {
  let shared: TemporaryDataDir
  let packageFolder: string
  beforeAll(async () => {
    shared = await temporaryDataDir({ isOnDisk: true })
    packageFolder = await copyPackage(shared.folder)
  })
  afterAll(() => shared[Symbol.asyncDispose]())

  it('run only with their links, which are made in place and may be made again', async () => {
    await using place = await temporaryDataDir({ isOnDisk: true })
    const runAs = await runAsFor(place.layout.cluster)
    const folder = join(packageFolder, 'native', 'bin')
    expect(await probe(folder, runAs)).toMatchObject({ reason: expect.stringContaining('shared object file') })
    await makeSymlinks(packageFolder)
    await makeSymlinks(packageFolder)
    expect(await probe(folder, runAs)).toEqual({ folder, major: '18' })
    expect(await findBinaries(place.layout, runAs, { packageFolder, onProgress })).toEqual({ folder, major: '18' })
  })

  it('are copied once, next to the data, and copied again when the copy was damaged', async () => {
    await using place = await temporaryDataDir({ isOnDisk: true })
    const runAs = await runAsFor(place.layout.cluster)
    await mkdir(place.dataDir, { mode: 0o755 })
    const told: string[] = []
    const deps = { onProgress: (text: string) => told.push(text), copyPlaces: [] }
    const firstRunning = async () => {
      for await (const copy of stagedCopies(packageFolder, place.layout, runAs, deps)) {
        const found = await probe(join(copy, 'native', 'bin'), runAs)
        if ('major' in found) return found.folder
      }
      return undefined
    }
    const folder = await firstRunning()
    expect(folder).toContain(place.layout.binaries)
    expect(await firstRunning()).toBe(folder)
    expect(told).toHaveLength(1)
    await rm(join(folder ?? '', '..', 'lib'), { recursive: true })
    expect(await firstRunning()).toBe(folder)
    expect(told).toHaveLength(2)
    expect(await readdir(place.layout.binaries)).toHaveLength(1)
  })

  it('are never run from a folder that another user may write', async () => {
    await using place = await temporaryDataDir({ isOnDisk: true })
    await mkdir(place.layout.binaries, { recursive: true })
    await chmod(place.layout.binaries, 0o777)
    await writeFile(join(place.folder, 'package.json'), '{ "version": "18.0.0" }')
    const copies = stagedCopies(place.folder, place.layout, {}, { onProgress, copyPlaces: [] })
    expect(await copies.next()).toEqual({ done: true, value: undefined })
  })
})
