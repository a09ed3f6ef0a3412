import { lstat, mkdir, readFile, realpath, rename, rm, statfs } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Clock } from '../../../packages/clock/clock.ts'
import { assert, conflict, Fault, incorrect, missing, unavailable } from '../../../packages/faults/fault.ts'
import { errorCode } from '../../../packages/files/error-code.ts'
import { listTree, type Tree } from '../../../packages/files/list-tree.ts'
import { BaseBackup, type BackupEnd } from '../../../packages/postgres/backup/base-backup.ts'
import { clusterFiles, controlFile } from '../../../packages/postgres/backup/cluster-files.ts'
import { inspectPostgres } from '../../../packages/postgres/inspect.ts'
import { syncFolder } from '../../../packages/postgres/write-durably.ts'
import type { Configuration } from '../configuration.ts'
import type { DatabaseDeps } from '../run/corridor-database.ts'
import { corridorVersion } from '../run/version.ts'
import { reachDatabase } from '../run/with-database.ts'
import type { Progress } from '../terminal.ts'
import { BackupWriter } from './backup-writer.ts'
import { dataFolder, keysFolder, type Manifest } from './manifest.ts'
import { placesOf, type Places } from './places.ts'
import { sideBySide } from './side-by-side.ts'
import { sizeOf } from './size.ts'

/**
 * Copies the embedded database, its password and the keys into a folder that is not there yet, while Corridor runs or while
 * it does not. Until all of it is on the disk the folder has another name; when anything fails, nothing of it is left.
 */
export async function makeBackup(configuration: Configuration, folder: string, deps: DatabaseDeps): Promise<Manifest> {
  const places = placesOf(configuration)
  const target = await newTarget(folder, places)
  const { state } = await inspectPostgres(places.layout.dataDir)
  if (state === 'new') throw nothingThere(places.layout.dataDir)
  // One that does not run is started for as long as this takes: one way to copy it, whatever it was at.
  await reachDatabase(configuration, deps)
  const unfinished = `${target}.unfinished`
  await makeUnfinished(unfinished)
  try {
    const manifest = await copyAll(places, unfinished, deps)
    await rename(unfinished, target)
    await syncFolder(dirname(target))
    return manifest
  } catch (thrown) {
    await rm(unfinished, { recursive: true, force: true })
    throw backupFault(thrown, target)
  }
}

/** A folder above that is not there is not made: mostly a disk is not mounted. */
async function newTarget(folder: string, { layout, keyDirectory }: Places): Promise<string> {
  const named = resolve(folder)
  const above = await realpath(dirname(named)).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw backupFault(error, named)
    throw incorrect(`The folder ${dirname(named)} is not there. Make it, or mount the disk that it lies on.`, {
      ...{ code: 'BACKUP_NO_PLACE', cause: error },
    })
  })
  const target = join(above, basename(named))
  // The cluster may be a link to another disk.
  for (const own of [layout.dataDir, layout.cluster, keyDirectory]) {
    if (!isBelow(target, await realpath(own).catch(() => own))) continue
    throw incorrect(`A backup in ${own} is lost together with what it is a copy of. Name a folder elsewhere.`, {
      code: 'BACKUP_INSIDE',
    })
  }
  if ((await lstat(target).catch(() => undefined)) === undefined) return target
  throw conflict(`${target} is there already, and a backup is written over nothing. Name another folder.`, {
    code: 'BACKUP_EXISTS',
  })
}

const isBelow = (path: string, folder: string) => !relative(folder, path).startsWith('..')

async function makeUnfinished(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw backupFault(error, path)
    throw conflict(
      `${path} is there: another backup of that name is under way, or was cut off. Where none is, remove it; it is no backup.`,
      { code: 'BACKUP_EXISTS', cause: error },
    )
  }
}

interface CopyDeps {
  readonly progress: Progress
  readonly clock: Clock
  readonly stop?: AbortSignal | undefined
}

async function copyAll({ layout, keyDirectory }: Places, folder: string, deps: CopyDeps): Promise<Manifest> {
  const { progress, clock, stop } = deps
  progress.step('Waiting until the database has written out what it holds in memory')
  const backup = await BaseBackup.start(layout, clock)
  try {
    const tree = await clusterFiles(layout.cluster)
    const totalBytes = tree.files.reduce((sum, { bytes }) => sum + bytes, 0)
    await checkRoom(folder, totalBytes)
    let bytes = 0
    progress.step('Copying the database', () => `${sizeOf(bytes)} of ${sizeOf(totalBytes)}`)
    const writer = new BackupWriter(folder, {
      stop: stop === undefined ? backup.gone : AbortSignal.any([stop, backup.gone]),
      onBytes: (more) => void (bytes += more),
    })
    await writer.makeFolder(dataFolder)
    await copyCluster(layout.cluster, tree, writer)
    progress.step('Copying what was written meanwhile')
    const takenAt = clock.now().toISOString()
    await copyChanges(layout.cluster, await backup.stop(), writer)
    await writer.copy(layout.password, `${dataFolder}/${basename(layout.password)}`)
    // Last: what the database has sealed until now opens with a key that was made until now.
    await copyKeys(keyDirectory, writer)
    return await writer.finish({ corridor: corridorVersion(), postgres: backup.version, takenAt })
  } catch (thrown) {
    // Whatever else failed, failed because of that.
    throw backup.gone.aborted ? backup.gone.reason : thrown
  } finally {
    await backup.end()
  }
}

/** The place of the copy of the cluster: by its own name, whatever disk a link of that name may lead to. */
const inBackup = (path: string) => `${dataFolder}/postgres${path === '' ? '' : `/${path}`}`

async function copyCluster(cluster: string, { folders, files }: Tree, writer: BackupWriter): Promise<void> {
  for (const path of ['', ...folders]) await writer.makeFolder(inBackup(path))
  const others = files.filter(({ path }) => path !== controlFile)
  await sideBySide(others, ({ path }) => writer.copy(join(cluster, path), inBackup(path)))
  await writer.write(inBackup(controlFile), await readSettled(join(cluster, controlFile)))
}

/** The server writes it in place, a few times a minute: two looks that agree saw no half of a write. */
async function readSettled(path: string): Promise<Buffer> {
  let last = await readFile(path)
  for (;;) {
    const again = await readFile(path)
    if (again.equals(last)) return again
    last = again
  }
}

async function copyChanges(
  cluster: string,
  { label, segments, segmentBytes }: BackupEnd,
  writer: BackupWriter,
): Promise<void> {
  await writer.write(inBackup('backup_label'), Buffer.from(label))
  for (const name of segments) {
    const bytes = await writer.copy(join(cluster, 'pg_wal', name), inBackup(`pg_wal/${name}`))
    assert(bytes === segmentBytes, `the segment ${name} of the log of changes is whole`)
  }
}

/** Those that are being written have a name with a dot in front. */
async function copyKeys(directory: string, writer: BackupWriter): Promise<void> {
  await writer.makeFolder(keysFolder)
  const { files } = await listTree(directory, (path) => path.startsWith('.'))
  for (const { path } of files.filter((file) => !file.path.includes('/'))) {
    await writer.copy(join(directory, path), `${keysFolder}/${path}`)
  }
}

/** For the segments of the log of changes, of which a quiet database has one or two. */
const spareBytes = 64 * 1024 * 1024

async function checkRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free < bytes + spareBytes)
    throw diskFull(dirname(folder), `: ${sizeOf(free)}, and ${sizeOf(bytes + spareBytes)} are needed`)
}

const nothingThere = (dataDir: string) =>
  missing(
    `There is nothing to back up: the data directory ${dataDir} has no database. Set CORRIDOR_DATA_DIR to the one that has.`,
    {
      code: 'BACKUP_NOTHING',
    },
  )

const diskFull = (place: string, figures = '') =>
  unavailable(
    `There is not enough free disk space for a backup in ${place}${figures}. Nothing of it is left there; free some, or name another folder.`,
    { code: 'BACKUP_DISK_FULL' },
  )

/** What the system said while files were copied, in a sentence. */
function backupFault(thrown: unknown, target: string): unknown {
  const code = errorCode(thrown)
  if (thrown instanceof Fault || code === undefined) return thrown
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(dirname(target))
  const { path = '', syscall }: Partial<NodeJS.ErrnoException> = thrown instanceof Error ? thrown : {}
  const isOurs = path === '' ? syscall !== 'read' : isBelow(path, dirname(target))
  const says = isOurs
    ? `The backup cannot be written in ${dirname(target)} (${code}). Name a folder that the user who runs this may write to.`
    : `${path === '' ? 'A file of the data directory' : path} cannot be read (${code}). Run the backup as the user that Corridor runs as, or as root.`
  return unavailable(says, { code: isOurs ? 'BACKUP_UNWRITABLE' : 'BACKUP_UNREADABLE', cause: thrown })
}
