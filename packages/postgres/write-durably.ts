import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * After this returns the file holds the whole text, also when the power fails; before, it holds the old text or none. When it
 * fails nothing half-written is left.
 */
export async function writeDurably(path: string, text: string, mode: number): Promise<void> {
  const temporary = `${path}.new`
  try {
    await writeAndSync(temporary, text, mode)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

async function writeAndSync(path: string, text: string, mode: number): Promise<void> {
  await using file = await open(path, 'w', mode)
  await file.writeFile(text)
  await file.sync()
}

/** Makes names in a folder durable. Windows has no such call, and its file system keeps names by itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  await using folder = await open(path, 'r')
  await folder.sync()
}
