import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { incorrect } from '../../../packages/faults/fault.ts'
import type { HashedFile } from '../../../packages/files/copy-hashed.ts'
import { errorCode } from '../../../packages/files/error-code.ts'

/** What a backup says of itself: written last, so a folder that has one is whole. */
export interface Manifest {
  /** Of Corridor and of PostgreSQL, by which it was made. */
  readonly corridor: string
  readonly postgres: string
  /** Everything that was confirmed to anybody before this moment is in it. */
  readonly takenAt: string
  /** Also those that are empty: PostgreSQL misses them. A folder stands before what is in it. */
  readonly folders: readonly string[]
  readonly files: readonly ManifestFile[]
}

export interface ManifestFile extends HashedFile {
  /** From the folder of the backup, with `/` between its parts. */
  readonly path: string
}

export const manifestName = 'manifest.json'

/** In the folder of a backup: what goes into the data directory, and the keys, which may lie elsewhere. */
export const dataFolder = 'data'
export const keysFolder = 'keys'

const format = 'corridor-backup-1'

export const manifestText = (manifest: Manifest): string => `${JSON.stringify({ format, ...manifest }, undefined, 1)}\n`

export const bytesOf = ({ files }: Manifest): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch((error: unknown) => {
    throw noBackup(folder, error)
  })
  const manifest = parse(text)
  if (isManifest(manifest)) return manifest
  throw incorrect(
    `${join(folder, manifestName)} is damaged, or was made by a newer Corridor. Take another backup, or the Corridor that made it.`,
    { code: 'BACKUP_MANIFEST' },
  )
}

function noBackup(folder: string, cause: unknown) {
  const code = errorCode(cause)
  const says =
    code === 'ENOENT' || code === 'ENOTDIR'
      ? `${folder} is no backup of Corridor: it has no ${manifestName}, which is written when a backup is whole.`
      : `${join(folder, manifestName)} cannot be read (${code ?? 'unknown error'}).`
  return incorrect(says, { code: 'BACKUP_NONE', cause })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isManifest(value: unknown): value is Manifest {
  if (!isRecord(value) || value['format'] !== format) return false
  const { corridor, postgres, takenAt, folders, files } = value
  if (![corridor, postgres, takenAt].every((text) => typeof text === 'string')) return false
  return Array.isArray(folders) && folders.every(isInside) && Array.isArray(files) && files.every(isFile)
}

function isFile(value: unknown): value is ManifestFile {
  if (!isRecord(value)) return false
  const { path, bytes, sha256 } = value
  return isInside(path) && Number.isSafeInteger(bytes) && typeof sha256 === 'string' && /^[\da-f]{64}$/.test(sha256)
}

/** A manifest is read from a disk that may have been anywhere: nothing in it leads out of the two folders. */
function isInside(path: unknown): path is string {
  if (typeof path !== 'string' || /[\\\0]/.test(path)) return false
  const [first = '', ...parts] = path.split('/')
  return [dataFolder, keysFolder].includes(first) && parts.every((part) => !['', '.', '..'].includes(part))
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
