import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { assert } from '../faults/fault.ts'

/**
 * A text that only its key opens (AES-256-GCM): nonce, cipher text and tag as one base64url text, as it lies in a table.
 * What else is given (`of`) is not in it, and must be the same when it is opened.
 */
export function sealWith(key: Uint8Array, text: string, of = ''): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(of))
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** Throws for what was sealed with another key or for something else, and for what was changed since. */
export function openWith(key: Uint8Array, sealed: string, of = ''): string {
  const bytes = Buffer.from(sealed, 'base64url')
  assert(bytes.length >= nonceBytes + tagBytes, 'a sealed text is too short')
  const nonce = bytes.subarray(0, nonceBytes)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(of))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString()
}

/** The key that follows from a secret for one purpose. The secret must be long and made by chance: guessing is cheap. */
export const keyFrom = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, keyBytes))

export const keyBytes = 32

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
