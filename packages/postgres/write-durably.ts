import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** After this returns the file holds the whole text, also when the power fails; before, it holds the old text or none. */
export async function writeDurably(path: string, text: string, mode: number): Promise<void> {
  const temporary = `${path}.new`
  {
    await using file = await open(temporary, 'w', mode)
    await file.writeFile(text)
    await file.sync()
  }
  await rename(temporary, path)
  await syncFolder(dirname(path))
}

/** Makes names in a folder durable. Windows has no such call, and its file system keeps names by itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  await using folder = await open(path, 'r')
  await folder.sync()
}
