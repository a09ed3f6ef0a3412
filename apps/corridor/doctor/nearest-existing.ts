import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The path itself, or what of it there is already: there the rest would be made. */
export async function nearestExisting(path: string): Promise<string> {
  try {
    await access(path)
    return path
  } catch {
    return dirname(path) === path ? path : nearestExisting(dirname(path))
  }
}

/** Whether something can be made in it. A file is none of these, also to root. */
export async function isWritableFolder(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
