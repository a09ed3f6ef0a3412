import { lstat, readlink, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Why there cannot be a folder at this path: what stands there, or above it, and is none (`EEXIST`, `ENOTDIR`), and what to do
 * about it; undefined where nothing does.
 */
export async function inTheWay(path: string): Promise<{ readonly is: string; readonly remedy: string } | undefined> {
  const found = await lstat(path).catch(() => undefined)
  if (found === undefined) return dirname(path) === path ? undefined : inTheWay(dirname(path))
  const led = await stat(path).catch(() => undefined)
  if (led?.isDirectory() === true) return undefined
  if (!found.isSymbolicLink()) return { is: `${path} is a file`, remedy: 'Move it away' }
  const to = await readlink(path)
  return led === undefined
    ? { is: `${path} is a link to ${to}, which is not there`, remedy: 'Mount the disk that it lies on' }
    : { is: `${path} is a link to ${to}, which is a file`, remedy: 'Move it away' }
}
