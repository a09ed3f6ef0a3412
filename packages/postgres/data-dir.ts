import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Fault, unavailable } from '../faults/fault.ts'
import { errorCode } from '../files/error-code.ts'
import { inTheWay } from '../files/in-the-way.ts'
import { makeDirectory } from '../files/make-directory.ts'

/** Makes the data directory where it is missing, and says in one sentence when it cannot be used. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    // As root the server runs as another user, who passes through this folder; what is secret inside is closed itself.
    await makeDirectory(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw await unwritable(dataDir, error)
  }
}

async function unwritable(dataDir: string, error: unknown): Promise<Fault> {
  const code = errorCode(error)
  if (code === 'ENOSPC') return diskFull(dataDir, 'ENOSPC')
  const { why, remedy } = (await reasonOf(dataDir, error)) ?? {
    why: `cannot be written (${code ?? 'unknown error'})`,
    remedy: 'Give the user that runs Corridor the right to write there',
  }
  return unavailable(`The data directory ${dataDir} ${why}. ${remedy}, or set CORRIDOR_DATA_DIR to another folder.`, {
    ...{ code: 'DATA_DIR_UNWRITABLE', cause: error },
  })
}

interface Reason {
  readonly why: string
  readonly remedy: string
}

async function reasonOf(dataDir: string, error: unknown): Promise<Reason | undefined> {
  switch (errorCode(error) ?? '') {
    case 'EEXIST':
    case 'ENOTDIR': {
      const found = await inTheWay(dataDir)
      return found && { why: `cannot be used: ${found.is}`, remedy: found.remedy }
    }
    case 'EROFS':
      return { why: 'lies on a disk that is mounted read-only', remedy: 'Mount it for writing' }
    case 'EACCES':
    case 'EPERM':
      return noRight(dataDir)
    default:
      return undefined
  }
}

/** Whose the folder is that refuses, the data directory or the nearest one above it that can be seen. */
async function noRight(path: string): Promise<Reason> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined && dirname(path) !== path) return noRight(dirname(path))
  const uid = process.getuid?.()
  if (found !== undefined && found.uid === uid) {
    const mode = (found.mode & 0o777).toString(8)
    return {
      why: `cannot be written: ${path} keeps its own user out (mode ${mode})`,
      remedy: 'Run "chmod u+rwx" on it',
    }
  }
  return {
    why: `cannot be written: ${path} belongs to the user with the id ${found?.uid}, and Corridor runs as ${uid}`,
    remedy: 'Start Corridor as that user, give this one the right to write there',
  }
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
