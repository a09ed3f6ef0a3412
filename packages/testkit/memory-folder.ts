import { statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'

/**
 * Where databases and whole installations lie that are thrown away: in memory where there is room, else in the folder for
 * temporary files. Making and dropping one means hundreds of small files; on a disk that was a tenth of a run's time.
 */
export async function memoryFolder(): Promise<string> {
  const found = await statfs(sharedMemory).catch(() => undefined)
  const freeBytes = found === undefined ? 0 : Math.min(found.bavail * found.bsize, freemem())
  return freeBytes > roomBytes ? sharedMemory : tmpdir()
}

export const sharedMemory = '/dev/shm'

/** A whole run was seen to need 200 MB, and a long one no more. */
const roomBytes = 4 * 2 ** 30
