import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { unavailable } from '../faults/fault.ts'
import { listDirectory, readPrivateFile, writeNewFile } from './key-files.ts'

const fileName = 'sealing-key'
const prefix = 'sealed:v1:'

/**
 * Seals small secrets for the database (AES-256-GCM) with a key that lies beside the signing keys: whoever has a copy of
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
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', await this.#theKey(), nonce).setAAD(Buffer.from(of))
    const sealed = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
    return prefix + sealed.toString('base64url')
  }

  async open(sealed: string, of: string): Promise<string> {
    const key = await this.#theKey()
    try {
      const bytes = Buffer.from(sealed.slice(prefix.length), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(of))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString()
    } catch (cause) {
      throw unavailable(
        `A secret in the database does not fit the key ${fileName} in ${this.#directory}. Restore that file from your backup.`,
        { code: 'SEALED_SECRET_UNREADABLE', cause },
      )
    }
  }

  #theKey(): Promise<Buffer> {
    this.#key ??= theKey(this.#directory).catch((thrown: unknown) => {
      this.#key = undefined
      throw thrown
    })
    return this.#key
  }
}

/** Copies that start together all try to make it; one succeeds and all read that one. */
async function theKey(directory: string): Promise<Buffer> {
  await listDirectory(directory)
  const read = () => readPrivateFile(directory, fileName)
  let text = await read()
  if (text === undefined) {
    await writeNewFile(directory, fileName, `${randomBytes(32).toString('base64url')}\n`)
    text = await read()
  }
  const key = Buffer.from(text?.trim() ?? '', 'base64url')
  if (key.length === 32) return key
  throw unavailable(`The file ${fileName} in ${directory} is damaged. Restore it from your backup.`, {
    code: 'SEALING_KEY_UNREADABLE',
  })
}
