import { readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../files/error-code.ts'

/**
 * npm cannot carry symbolic links, so the package lists them and would make them in an install script. Corridor is
 * installed without install scripts, and without the links the server's own libraries are not found.
 *
 * @param packageFolder the folder that holds `native/`
 */
export async function makeSymlinks(packageFolder: string): Promise<void> {
  for (const link of await listedSymlinks(packageFolder)) {
    try {
      await symlink(basename(link.source), join(packageFolder, link.target))
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
}

interface ListedSymlink {
  readonly source: string
  readonly target: string
}

async function listedSymlinks(packageFolder: string): Promise<readonly ListedSymlink[]> {
  const text = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '[]'
    throw error
  })
  const listed: unknown = JSON.parse(text)
  return Array.isArray(listed) ? listed.filter(isSymlinkInItsFolder) : []
}

/** Only links to a neighbour are made: a list that points elsewhere is not the one we know. */
function isSymlinkInItsFolder(entry: unknown): entry is ListedSymlink {
  if (typeof entry !== 'object' || entry === null || !('source' in entry) || !('target' in entry)) return false
  const { source, target } = entry
  if (typeof source !== 'string' || typeof target !== 'string') return false
  return dirname(source) === dirname(target) && /^native\/(?!.*\.\.)/.test(target)
}
