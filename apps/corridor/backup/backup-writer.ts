import { createHash } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { copyHashed, type HashOptions } from '../../../packages/files/copy-hashed.ts'
import { errorCode } from '../../../packages/files/error-code.ts'
import { syncFolder } from '../../../packages/postgres/write-durably.ts'
import { manifestName, manifestText, type Manifest, type ManifestFile } from './manifest.ts'

/** The folder of a backup while it is filled: every file in it is hashed, on the disk, and its owner's alone. */
export class BackupWriter {
  readonly #folder: string
  readonly #options: HashOptions
  readonly #folders: string[] = []
  readonly #files: ManifestFile[] = []

  constructor(folder: string, options: HashOptions) {
    this.#folder = folder
    this.#options = options
  }

  async makeFolder(path: string): Promise<void> {
    await mkdir(join(this.#folder, path), { mode: 0o700 })
    this.#folders.push(path)
  }

  /** @returns its size; undefined for a file that is gone by now: it was dropped, and nobody will miss it */
  async copy(from: string, path: string): Promise<number | undefined> {
    try {
      const copied = await copyHashed(from, join(this.#folder, path), this.#options)
      this.#files.push({ path, ...copied })
      return copied.bytes
    } catch (error) {
      if (!isGone(error, from)) throw error
      return undefined
    }
  }

  async write(path: string, bytes: Buffer): Promise<void> {
    await writeNew(join(this.#folder, path), bytes)
    this.#files.push({ path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
  }

  /** The last of it. */
  async finish(about: Omit<Manifest, 'folders' | 'files'>): Promise<Manifest> {
    const files = this.#files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
    const manifest = { ...about, folders: this.#folders, files }
    await writeNew(join(this.#folder, manifestName), Buffer.from(manifestText(manifest)))
    for (const path of this.#folders.toReversed()) await syncFolder(join(this.#folder, path))
    await syncFolder(this.#folder)
    return manifest
  }
}

async function writeNew(path: string, bytes: Buffer): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(bytes)
  await file.sync()
}

const isGone = (error: unknown, path: string): boolean =>
  errorCode(error) === 'ENOENT' && error instanceof Error && 'path' in error && error.path === path
