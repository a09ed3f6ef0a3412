import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from './error-code.ts'

/**
 * As `mkdir -p` does. Node's own goes round for ever where a file system says of a place that can hold no directories
 * that it is not there, as /proc does; here that is the error `ENOENT`, whose `path` is the directory that cannot be made.
 */
export async function makeDirectory(directory: string, mode: number): Promise<void> {
  const parent = dirname(directory)
  for (const isParentSure of [false, true]) {
    try {
      await mkdir(directory, { mode })
      return
    } catch (error) {
      if (await isDirectory(directory)) return
      if (errorCode(error) !== 'ENOENT' || isParentSure || parent === directory) throw error
      await makeDirectory(parent, mode)
    }
  }
}

const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true
