import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

interface DiskFolder extends AsyncDisposable {
  readonly path: string
}

/**
 * A new folder in the project's `data` folder, on the disk that Corridor itself would use: the system's temporary folder
 * may be memory, where forcing to disk costs nothing.
 */
export async function diskFolder(): Promise<DiskFolder> {
  const parent = resolve('data')
  await mkdir(parent, { recursive: true })
  const path = await mkdtemp(join(parent, 'bench-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
