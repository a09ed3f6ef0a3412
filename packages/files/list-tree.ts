import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from './error-code.ts'

/** What lies below a folder, by paths from there that have `/` between their parts. */
export interface Tree {
  /** A folder stands before what is in it. */
  readonly folders: readonly string[]
  readonly files: readonly { readonly path: string; readonly bytes: number }[]
}

/**
 * Links are followed: what counts is what is read there. What vanishes while it is looked at was not there; what is neither
 * file nor folder holds nothing.
 *
 * @param isLeftOut told the path; of a folder that is left out nothing is looked at
 */
export async function listTree(folder: string, isLeftOut: (path: string) => boolean = () => false): Promise<Tree> {
  const folders: string[] = []
  const files: { path: string; bytes: number }[] = []
  const walk = async (below: string): Promise<void> => {
    const names = await readdir(join(folder, below)).catch(unlessGone)
    for (const name of (names ?? []).sort()) {
      const path = below === '' ? name : `${below}/${name}`
      if (isLeftOut(path)) continue
      const found = await stat(join(folder, path)).catch(unlessGone)
      if (found?.isFile() === true) files.push({ path, bytes: found.size })
      if (found?.isDirectory() !== true) continue
      folders.push(path)
      await walk(path)
    }
  }
  await walk('')
  return { folders, files }
}

function unlessGone(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error
}
