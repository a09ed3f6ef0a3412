import { mkdir, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { createHash } from 'node:crypto'
import { conflict, Fault, incorrect, unavailable } from '../../../packages/faults/fault.ts'
import { copyHashed, type HashOptions } from '../../../packages/files/copy-hashed.ts'
import { errorCode } from '../../../packages/files/error-code.ts'
import { listDirectory, writeNewFile } from '../../../packages/keys/key-files.ts'
import { holdDataDir } from '../../../packages/postgres/hold.ts'
import { giveTo, runAsFor } from '../../../packages/postgres/run-as.ts'
import { syncFolder, writeDurably } from '../../../packages/postgres/write-durably.ts'
import type { Configuration } from '../configuration.ts'
import type { Progress } from '../terminal.ts'
import { bytesOf, dataFolder, keysFolder, readManifest, type Manifest, type ManifestFile } from './manifest.ts'
import { placesOf, type Places } from './places.ts'
import { sideBySide } from './side-by-side.ts'
import { sizeOf } from './size.ts'

interface RestoreDeps {
  readonly progress: Progress
  readonly stop: AbortSignal
}

/**
 * Puts a backup in the place of a data directory that is not there, or is empty. Every file is held against the manifest on
 * its way; when anything fails, nothing of it is left. What a power cut leaves is marked, and no start takes it for data.
 */
export async function restoreBackup(configuration: Configuration, named: string, deps: RestoreDeps): Promise<Manifest> {
  const places = placesOf(configuration)
  const folder = resolve(named)
  const manifest = await readManifest(folder)
  // First without the lock, which leaves a file of its own: not in a folder that is full of somebody's photographs.
  const before = await whatIsThere(places)
  if (before !== undefined) throw await whyNot(before, places)
  const held = await holdDataDir(places.layout.dataDir)
  try {
    // Another restore, or a start, may have come to the lock before this one, and be done with it.
    const meanwhile = await whatIsThere(places)
    if (meanwhile !== undefined) throw meanwhile
    await checkRoom(places, manifest)
    const keys: string[] = []
    await fill(folder, manifest, places, { ...deps, keys }).catch(async (thrown: unknown) => {
      await remove(keys, places)
      throw restoreFault(thrown, folder, places)
    })
    await rm(places.layout.restoring)
    await syncFolder(places.layout.dataDir)
  } finally {
    await held.release()
  }
  return manifest
}

/** Locks and who has them hold nothing, and every file system has its own folder for what it found. */
const isData = ({ layout, keyDirectory }: Places, name: string): boolean =>
  name !== 'lost+found' &&
  ![layout.holdLock, layout.holder, layout.startLock, keyDirectory].includes(join(layout.dataDir, name))

async function whatIsThere(places: Places): Promise<Fault | undefined> {
  const { layout, keyDirectory } = places
  const names = await namesIn(layout.dataDir)
  if (names.some((name) => isData(places, name))) {
    return notEmpty(`The data directory ${layout.dataDir}`, 'CORRIDOR_DATA_DIR')
  }
  const keys = await namesIn(keyDirectory)
  if (keys.length === 0) return undefined
  return notEmpty(`The key directory ${keyDirectory}`, 'CORRIDOR_AUTH_KEY_DIRECTORY')
}

/** Where a Corridor runs on it, that is what is to be said. */
async function whyNot(fault: Fault, { layout: { dataDir, holdLock } }: Places): Promise<Fault> {
  if ((await namesIn(dataDir)).includes(basename(holdLock))) await (await holdDataDir(dataDir)).release()
  return fault
}

const notEmpty = (what: string, variable: string) =>
  conflict(
    `${what} is not empty, and a restore is written over nothing. Move it away, or set ${variable} to a folder that is not there yet.`,
    { code: 'RESTORE_NOT_EMPTY' },
  )

async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch((error: unknown) => {
    // What else may be wrong with it, a start says, too.
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error) ?? '')) return []
    throw error
  })
}

/** A server has room to work beside its data. */
const spareBytes = 256 * 1024 * 1024

async function checkRoom({ layout }: Places, manifest: Manifest): Promise<void> {
  const { bavail, bsize } = await statfs(layout.dataDir)
  const [free, needed] = [bavail * bsize, bytesOf(manifest) + spareBytes]
  if (free < needed) throw diskFull(layout.dataDir, `: ${sizeOf(free)}, and ${sizeOf(needed)} are needed`)
}

interface FillDeps extends RestoreDeps {
  /** The names of those that were put in place. */
  readonly keys: string[]
}

async function fill(
  folder: string,
  manifest: Manifest,
  places: Places,
  { progress, stop, keys }: FillDeps,
): Promise<void> {
  const { layout, keyDirectory } = places
  await writeDurably(layout.restoring, `${folder}\n`, 0o600)
  let bytes = 0
  const totalBytes = bytesOf(manifest)
  progress.step('Copying the backup', () => `${sizeOf(bytes)} of ${sizeOf(totalBytes)}`)
  const options = { stop, onBytes: (more: number) => void (bytes += more) }
  // As whom the server runs, or root would own what it may not read.
  const runAs = await runAsFor(layout.cluster)
  const folders = below(dataFolder, manifest.folders).map((path) => join(layout.dataDir, path))
  for (const path of folders) {
    await mkdir(path, { mode: 0o700 })
    await giveTo(path, runAs)
  }
  await sideBySide(manifest.files.filter(isOf(dataFolder)), async (file) => {
    const to = join(layout.dataDir, file.path.slice(dataFolder.length + 1))
    await copyChecked(folder, file, to, options)
    await giveTo(to, runAs)
  })
  for (const path of folders.toReversed()) await syncFolder(path)
  await restoreKeys(folder, manifest.files.filter(isOf(keysFolder)), keyDirectory, keys)
}

const isOf = (first: string) => (file: ManifestFile) => file.path.startsWith(`${first}/`)

const below = (first: string, paths: readonly string[]) =>
  paths.flatMap((path) => (path.startsWith(`${first}/`) ? [path.slice(first.length + 1)] : []))

async function copyChecked(folder: string, file: ManifestFile, to: string, options: HashOptions): Promise<void> {
  const { sha256 } = await copyHashed(join(folder, file.path), to, options)
  if (sha256 !== file.sha256) throw damaged(join(folder, file.path))
}

/**
 * With the owner and the rights that every key has which is made there. The lock is of the data directory: of two restores
 * beside each other that have the key directory in common one finds a key of the other, and keeps none of its own.
 */
async function restoreKeys(
  folder: string,
  files: readonly ManifestFile[],
  keyDirectory: string,
  restored: string[],
): Promise<void> {
  if (files.length > 0) await listDirectory(keyDirectory)
  for (const { path, sha256 } of files) {
    const name = path.slice(keysFolder.length + 1)
    const text = await readFile(join(folder, path))
    if (createHash('sha256').update(text).digest('hex') !== sha256) throw damaged(join(folder, path))
    if (!(await writeNewFile(keyDirectory, name, text.toString('utf8')))) {
      throw notEmpty(`The key directory ${keyDirectory}`, 'CORRIDOR_AUTH_KEY_DIRECTORY')
    }
    restored.push(name)
  }
}

/** All of it was made here, since there was nothing. The mark goes last. */
async function remove(keys: readonly string[], { layout, keyDirectory }: Places): Promise<void> {
  for (const path of [layout.cluster, layout.password]) await rm(path, { recursive: true, force: true })
  for (const name of keys) await rm(join(keyDirectory, name), { force: true })
  await rm(layout.restoring, { force: true })
}

const damaged = (path: string, how = 'is not what was written into the backup') =>
  incorrect(`${path} ${how}. Nothing was restored; take another backup.`, {
    code: 'BACKUP_DAMAGED',
  })

const diskFull = (dataDir: string, figures = '') =>
  unavailable(
    `There is not enough free disk space for the data directory ${dataDir}${figures}. Nothing was restored; free some, or set CORRIDOR_DATA_DIR to a folder on another disk.`,
    { code: 'DATA_DIR_FULL' },
  )

function restoreFault(thrown: unknown, folder: string, { layout }: Places): unknown {
  const code = errorCode(thrown)
  if (thrown instanceof Fault || code === undefined) return thrown
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(layout.dataDir)
  const { path = '' }: Partial<NodeJS.ErrnoException> = thrown instanceof Error ? thrown : {}
  if (code === 'ENOENT' && path.startsWith(join(folder, '/'))) return damaged(path, 'is missing in the backup')
  return unavailable(
    `${path === '' ? 'A file' : path} cannot be read or written (${code}). Nothing was restored. Run this as the user that Corridor runs as.`,
    { code: 'RESTORE_FAILED', cause: thrown },
  )
}
