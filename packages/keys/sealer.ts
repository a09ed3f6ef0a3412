import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { assert, unavailable } from '../faults/fault.ts'
import { listDirectory, readPrivateFile, writeNewFile, type PrivateFileFaults } from './key-files.ts'
import { keyBytes, openWith, sealWith } from './sealed-box.ts'

const fileName = 'sealing-key'
const prefix = 'sealed:v1:'

/**
 * Seals small secrets for the database with a key that lies beside the signing keys: whoever has a copy of
 * the database alone can open nothing. The key is made when the first secret is sealed, and never changes.
 */
export class Sealer {
  readonly #directory: string
  #key: Promise<Buffer> | undefined

  constructor(directory: string) {
    this.#directory = directory
  }

  static isSealed(text: string): boolean {
    return text.startsWith(prefix)
  }

  /** `of` says whose secret it is: put into another's row, it does not open. */
  async seal(secret: string, of: string): Promise<string> {
    return prefix + sealWith(await this.#theKey(), secret, of)
  }

  async open(sealed: string, of: string): Promise<string> {
    const key = await this.#keptKey()
    try {
      return openWith(key, sealed.slice(prefix.length), of)
    } catch (cause) {
      throw unavailable(
        `A secret in the database does not fit the file ${fileName} in the key directory. Restore that file from your backup.`,
        { code: 'SEALED_SECRET_UNREADABLE', logged: this.#directory, cause },
      )
    }
  }

  /** What is to be opened was sealed with a key that is somewhere: a new one in its place would open nothing. */
  async #keptKey(): Promise<Buffer> {
    const key = await (this.#key ?? readSealingKey(this.#directory))
    if (key === undefined) throw keyLost(this.#directory)
    this.#key ??= Promise.resolve(key)
    return key
  }

  #theKey(): Promise<Buffer> {
    this.#key ??= theKey(this.#directory).catch((thrown: unknown) => {
      this.#key = undefined
      throw thrown
    })
    return this.#key
  }
}

const keyLost = (directory: string) =>
  unavailable(
    `The file ${fileName}, with which secrets in the database are sealed, is not in the key directory. Mount that ` +
      'directory, or restore that file from your backup.',
    { code: 'SEALED_SECRET_UNREADABLE', logged: directory },
  )

/** Whether there is a key; throws what is wrong with it. */
export async function checkSealingKey(directory: string): Promise<boolean> {
  return (await readSealingKey(directory)) !== undefined
}

/** Copies that start together all try to make it; one succeeds and all read that one. */
async function theKey(directory: string): Promise<Buffer> {
  await listDirectory(directory)
  const found = await readSealingKey(directory)
  if (found !== undefined) return found
  await writeNewFile(directory, fileName, `${randomBytes(keyBytes).toString('base64url')}\n`)
  const made = await readSealingKey(directory)
  assert(made !== undefined, 'a key that was written is there')
  return made
}

async function readSealingKey(directory: string): Promise<Buffer | undefined> {
  const text = await readPrivateFile(directory, fileName, faults)
  if (text === undefined) return undefined
  const key = Buffer.from(text.trim(), 'base64url')
  if (key.length === keyBytes) return key
  throw faults.unreadable(join(directory, fileName))
}

/** Whoever signs in with a one-time code reads these: no path, and no way to lose every such code's secret. */
const faults: PrivateFileFaults = {
  denied: (path, cause) =>
    unavailable(
      `The file ${fileName} in the key directory belongs to another user, and the one that Corridor runs as may not ` +
        'read it. Give it to that one with "chown".',
      { code: 'SEALING_KEY_DENIED', logged: path, cause },
    ),
  exposed: (path, mode) =>
    unavailable(
      `The file ${fileName} in the key directory is open to other users of this machine (mode ${mode}). ` +
        'Run "chmod 600" on it.',
      { code: 'SEALING_KEY_EXPOSED', logged: path },
    ),
  unreadable: (path, cause) =>
    unavailable(`The file ${fileName} in the key directory is damaged. Restore it from your backup.`, {
      ...{ code: 'SEALING_KEY_UNREADABLE', logged: path, cause },
    }),
}
