import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { hashFile } from '../../../packages/files/copy-hashed.ts'
import { errorCode } from '../../../packages/files/error-code.ts'
import { listTree } from '../../../packages/files/list-tree.ts'
import type { Progress } from '../terminal.ts'
import { bytesOf, manifestName, readManifest, type Manifest } from './manifest.ts'
import { sideBySide } from './side-by-side.ts'
import { sizeOf } from './size.ts'

export interface BackupVerdict {
  readonly manifest: Manifest
  /** A sentence for each file that is not what was written; empty for a backup that is whole. */
  readonly wrong: readonly string[]
  /** Whether other users of this machine may read it. */
  readonly isOpenToOthers: boolean
}

/** Reads every byte of a backup, and holds it against its manifest. */
export async function verifyBackup(
  named: string,
  { progress, stop }: { readonly progress: Progress; readonly stop: AbortSignal },
): Promise<BackupVerdict> {
  const folder = resolve(named)
  const manifest = await readManifest(folder)
  let bytes = 0
  const totalBytes = bytesOf(manifest)
  progress.step('Reading the backup', () => `${sizeOf(bytes)} of ${sizeOf(totalBytes)}`)
  const wrong: string[] = []
  const onBytes = (more: number) => void (bytes += more)
  await sideBySide(manifest.files, async ({ path, sha256 }) => {
    const found = await hashFile(join(folder, path), { stop, onBytes }).catch((error: unknown) => {
      const code = errorCode(error)
      if (code === undefined) throw error
      wrong.push(code === 'ENOENT' ? `${path} is missing.` : `${path} cannot be read (${code}).`)
    })
    if (found !== undefined && found.sha256 !== sha256) wrong.push(`${path} was changed.`)
  })
  wrong.push(...(await strangersIn(folder, manifest)))
  const { mode } = await stat(folder)
  return { manifest, wrong: wrong.sort(), isOpenToOthers: process.platform !== 'win32' && (mode & 0o077) !== 0 }
}

async function strangersIn(folder: string, { files }: Manifest): Promise<string[]> {
  const known = new Set([manifestName, ...files.map(({ path }) => path)])
  const found = await listTree(folder)
  return found.files.flatMap(({ path }) => (known.has(path) ? [] : [`${path} is none of its files.`]))
}
