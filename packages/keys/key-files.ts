import { constants } from 'node:fs'
import { chown, link, open, readdir, stat, unlink, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemIds } from '../clock/ids.ts'
import { Fault, unavailable } from '../faults/fault.ts'
import { errorCode } from '../files/error-code.ts'
import { inTheWay } from '../files/in-the-way.ts'
import { makeDirectory } from '../files/make-directory.ts'
import { readKeyText, type StoredKey } from './signing-key.ts'

const fileName = /^signing-key-(\d{4,9})\.json$/

const nameOf = (number: number) => `signing-key-${String(number).padStart(4, '0')}.json`

export const keyFile = (directory: string, number: number): string => join(directory, nameOf(number))

/** Every key in the directory, which is made when it is not there. One bad file is a fault: never guess about keys. */
export async function readKeys(directory: string): Promise<readonly StoredKey[]> {
  const names = await listDirectory(directory)
  const numbers = names.map((name) => fileName.exec(name)?.[1]).filter((number) => number !== undefined)
  const keys = await Promise.all(numbers.map((number) => readKey(directory, Number(number))))
  return keys.filter((key) => key !== undefined)
}

/** False when another copy was first with this number. */
export const writeKey = (directory: string, number: number, text: string): Promise<boolean> =>
  writeNewFile(directory, nameOf(number), text)

/**
 * Puts a new file in place, whole or not at all, for its owner only; false when it is there already. A link is made to
 * the finished file since, unlike a rename, it never replaces one that is there. Where root makes it, it belongs to whom
 * the directory does: a command of root's writes what a service that is not root must read.
 */
export async function writeNewFile(directory: string, name: string, text: string): Promise<boolean> {
  const unfinished = join(directory, `.${systemIds.uuid()}.unfinished`)
  try {
    const file = await open(unfinished, 'wx', 0o600)
    try {
      await writeAndClose(file, directory, text)
      await link(unfinished, join(directory, name))
      return true
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false
      throw error
    } finally {
      // Also what could not be written whole: it may be half of a private key.
      await unlink(unfinished)
      await syncDirectory(directory)
    }
  } catch (error) {
    throw await directoryFault(directory, error)
  }
}

async function writeAndClose(file: FileHandle, directory: string, text: string): Promise<void> {
  try {
    await giveToOwnerOf(directory, file)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function removeKey(directory: string, number: number): Promise<void> {
  try {
    await unlink(keyFile(directory, number))
    await syncDirectory(directory)
  } catch (error) {
    // Another copy may have removed it at the same time.
    if (errorCode(error) !== 'ENOENT') throw await directoryFault(directory, error)
  }
}

/** Makes the directory when it is not there; refuses one that everybody may write to. */
export async function listDirectory(directory: string): Promise<readonly string[]> {
  try {
    await makeKeyDirectory(directory)
    const { mode } = await stat(directory)
    if (process.platform !== 'win32' && (mode & 0o002) !== 0) throw directoryExposed(directory)
    return await readdir(directory)
  } catch (error) {
    throw error instanceof Fault ? error : await directoryFault(directory, error)
  }
}

/** Undefined when another copy removed the file after it was listed. */
async function readKey(directory: string, number: number): Promise<StoredKey | undefined> {
  const text = await readPrivateFile(directory, nameOf(number), signingKeyFaults)
  if (text === undefined) return undefined
  const key = await readKeyText(number, text)
  if (key === undefined) throw signingKeyFaults.unreadable(keyFile(directory, number))
  return key
}

/** What is said of a file that cannot be had: what its loss would mean depends on what it is. */
export interface PrivateFileFaults {
  /** Whole, perhaps, and another user's. */
  denied(path: string, cause: unknown): Fault
  exposed(path: string, mode: string): Fault
  unreadable(path: string, cause?: unknown): Fault
}

/** Undefined when there is no such file; one that others can read is refused. */
export async function readPrivateFile(
  directory: string,
  name: string,
  faults: PrivateFileFaults,
): Promise<string | undefined> {
  const path = join(directory, name)
  try {
    const file = await open(path, constants.O_RDONLY)
    try {
      const { mode } = await file.stat()
      if (process.platform !== 'win32' && (mode & 0o077) !== 0) throw faults.exposed(path, (mode & 0o777).toString(8))
      return await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof Fault) throw error
    const code = errorCode(error)
    if (code === 'ENOENT') return undefined
    throw code === 'EACCES' || code === 'EPERM' ? faults.denied(path, error) : faults.unreadable(path, error)
  }
}

/** The names of the files here that the owner of the directory cannot read, because another one made them. */
export async function foreignFiles(directory: string): Promise<readonly string[]> {
  const { uid } = await stat(directory)
  // A directory of root's says nothing of who reads in it: volumes of a cluster are shared by group.
  if (uid === 0) return []
  const names = (await readdir(directory)).filter((name) => !name.startsWith('.')).sort()
  const owners = await Promise.all(names.map((name) => stat(join(directory, name))))
  return names.filter((_, at) => owners[at]?.uid !== uid)
}

/** One that root makes belongs to whom the place does where it is made. */
async function makeKeyDirectory(directory: string): Promise<void> {
  const isThere = await stat(directory).then(
    () => true,
    () => false,
  )
  await makeDirectory(directory, 0o700)
  if (!isThere) await giveToOwnerOf(dirname(directory), { chown: (uid, gid) => chown(directory, uid, gid) })
}

async function giveToOwnerOf(directory: string, made: Pick<FileHandle, 'chown'>): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(directory)
  if (uid !== 0) await made.chown(uid, gid)
}

const signingKeyFaults: PrivateFileFaults = {
  denied: (path, cause) =>
    unavailable(
      `The signing key ${path} belongs to another user, and the one that Corridor runs as may not read it. ` +
        'Give it to that one with "chown"; nothing else is wrong with it.',
      { code: 'SIGNING_KEY_DENIED', cause },
    ),
  exposed: (path, mode) =>
    unavailable(
      `The key ${path} is open to other users of this machine (mode ${mode}). ` +
        'If none of them can have read it, run "chmod 600" on it; else move it away to have a new one made.',
      { code: 'SIGNING_KEY_EXPOSED' },
    ),
  unreadable: (path, cause) =>
    unavailable(
      `The signing key ${path} is not a readable RSA private key. Restore it from your backup or move it away to have ` +
        'a new one made; tokens signed with it become invalid.',
      { code: 'SIGNING_KEY_UNREADABLE', cause },
    ),
}

function directoryExposed(directory: string): Fault {
  return unavailable(
    `Every user of this machine may put keys into the key directory ${directory}. Run "chmod 700" on it.`,
    { code: 'KEY_DIRECTORY_EXPOSED' },
  )
}

async function directoryFault(directory: string, cause: unknown): Promise<Fault> {
  const impossible = impossibleDirectory(cause)
  if (impossible !== undefined) return directoryImpossible(impossible, cause)
  const code = errorCode(cause)
  if (code === 'ENOSPC') return directoryFull(directory, cause)
  const found = code === 'EEXIST' || code === 'ENOTDIR' ? await inTheWay(directory) : undefined
  if (found !== undefined) {
    return unavailable(
      `The key directory ${directory} cannot be used: ${found.is}. ${found.remedy}, or name another directory.`,
      { code: 'KEY_DIRECTORY_UNUSABLE', cause },
    )
  }
  return unavailable(
    `The key directory ${directory} cannot be used (${code ?? 'unknown error'}). ` +
      'Name a directory that belongs to the user Corridor runs as.',
    { code: 'KEY_DIRECTORY_UNUSABLE', cause },
  )
}

function directoryFull(directory: string, cause: unknown): Fault {
  return unavailable(`There is no free disk space for a key in ${directory}. Free some there.`, {
    ...{ code: 'KEY_DIRECTORY_FULL', cause },
  })
}

/** The one that `makeDirectory` could not make because its parent takes none. */
function impossibleDirectory(cause: unknown): string | undefined {
  const { syscall, path }: Partial<NodeJS.ErrnoException> = cause instanceof Error ? cause : {}
  return errorCode(cause) === 'ENOENT' && syscall === 'mkdir' ? path : undefined
}

function directoryImpossible(directory: string, cause: unknown): Fault {
  return unavailable(
    `The directory ${directory} cannot be made for the keys: ${dirname(directory)} takes no directories. ` +
      'Name a directory that belongs to the user Corridor runs as.',
    { code: 'KEY_DIRECTORY_UNUSABLE', cause },
  )
}

async function syncDirectory(directory: string): Promise<void> {
  // Windows cannot open a directory; its file system journals names by itself.
  if (process.platform === 'win32') return
  const handle = await open(directory, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
