import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemIds } from '../clock/ids.ts'
import { errorCode } from '../files/error-code.ts'
import type { Layout } from './layout.ts'
import { mayEnter } from './may-enter.ts'
import type { RunAs } from './run-as.ts'
import { makeSymlinks } from './symlinks.ts'

export interface StagingDeps {
  readonly onProgress: (text: string) => void
  /** Where a copy may lie that cannot lie next to the data; folders of the system unless given. */
  readonly copyPlaces?: readonly string[]
}

/**
 * Copies the binaries (nothing secret, 50 MB) to where PostgreSQL's user can run them: next to the data, else a folder
 * of the system. PostgreSQL looks for its own files by its full path, so every folder above must be open to its user;
 * the data has no such need (cluster-path.ts) and always stays in the data directory.
 *
 * @returns the folders with a copy, best first, made one by one as the caller asks for the next
 */
export async function* stagedCopies(
  packageFolder: string,
  layout: Layout,
  runAs: RunAs,
  deps: StagingDeps,
): AsyncGenerator<string> {
  const name = `postgres-${await packageVersion(packageFolder)}`
  for (const place of [layout.binaries, ...(deps.copyPlaces ?? systemPlaces())]) {
    if (!(await isUsable(place, runAs))) continue
    const copy = join(place, name)
    if (await isOurs(copy)) yield copy
    // None yet, or one that somebody damaged.
    deps.onProgress(`Copying PostgreSQL to ${copy}, because its user cannot run it in ${packageFolder}`)
    await rm(copy, { recursive: true, force: true })
    await copyBinaries(packageFolder, copy)
    yield copy
  }
}

function systemPlaces(): readonly string[] {
  const uid = process.getuid?.()
  return [...(uid === 0 ? ['/var/cache/corridor'] : []), join(tmpdir(), `corridor-${uid ?? 'binaries'}`)]
}

async function isUsable(place: string, runAs: RunAs): Promise<boolean> {
  try {
    if ((await mkdir(place, { recursive: true })) !== undefined) await chmod(place, 0o755)
    return (await isOurs(place)) && (await mayEnter(place, runAs))
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR'].includes(errorCode(error) ?? '')) return false
    throw error
  }
}

/** A folder that another user made or may write could hold that user's programs: they are never run. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  if (found === undefined || !found.isDirectory()) return false
  if (process.getuid === undefined) return true
  return found.uid === process.getuid() && (found.mode & 0o022) === 0
}

/** Under another name first: a copy that has its name is whole. */
async function copyBinaries(packageFolder: string, copy: string): Promise<void> {
  const unfinished = `${copy}.new-${systemIds.uuid()}`
  try {
    await cp(join(packageFolder, 'native'), join(unfinished, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    })
    await makeSymlinks(unfinished)
    await openToAll(unfinished)
    await rename(unfinished, copy)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another start was faster with the same copy.
    if (!(await isOurs(copy))) throw error
  }
}

/** A careful umask at the time of the clone or of the copy must not lock PostgreSQL's user out. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755)
  }
}

async function packageVersion(packageFolder: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'))
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : ''
  return String(version).replaceAll(/[^\w.-]/g, '_')
}
