import { access, constants, statfs } from 'node:fs/promises'
import { type Fault, unavailable } from '../faults/fault.ts'
import { errorCode } from '../files/error-code.ts'
import { makeDirectory } from '../files/make-directory.ts'

/** Makes the data directory where it is missing, and says in one sentence when it cannot be used. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    // As root the server runs as another user, who passes through this folder; what is secret inside is closed itself.
    await makeDirectory(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unwritable(dataDir, error)
  }
}

function unwritable(dataDir: string, error: unknown): Fault {
  if (errorCode(error) === 'ENOSPC') return diskFull(dataDir, 'ENOSPC')
  return unavailable(
    `The data directory ${dataDir} cannot be written (${errorCode(error) ?? 'unknown error'}). ` +
      'Give the user that runs Corridor the right to write there, or set CORRIDOR_DATA_DIR to another folder.',
    { code: 'DATA_DIR_UNWRITABLE', cause: error },
  )
}

/** An empty cluster takes 40 MB and its first log of changes 16 MB; the rest is room to work. */
const firstStartBytes = 256 * 1024 * 1024
/** Below this a start would fail halfway. */
const laterStartBytes = 32 * 1024 * 1024

export async function checkSpace(
  dataDir: string,
  options: { firstStart: boolean },
  freeBytes: (path: string) => Promise<number> = freeBytesAt,
): Promise<void> {
  const free = await freeBytes(dataDir)
  const needed = options.firstStart ? firstStartBytes : laterStartBytes
  if (free < needed) throw diskFull(dataDir, `${free} bytes free, ${needed} needed`)
}

async function freeBytesAt(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}

export function diskFull(dataDir: string, logged: string): Fault {
  return unavailable(
    `There is not enough free disk space for the data directory ${dataDir}. ` +
      'Free at least 256 MB there, or set CORRIDOR_DATA_DIR to a folder on another disk.',
    { code: 'DATA_DIR_FULL', logged },
  )
}
