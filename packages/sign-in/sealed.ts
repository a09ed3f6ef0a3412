import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto'
import { assert } from '../faults/fault.ts'

/** What is stored in place of an unguessable secret, to find its row by. */
export const digestOf = (secret: string): string => hash('sha256', secret, 'base64url')

/**
 * Seals a text with a key that follows from a secret which only the browser holds (AES-256-GCM). The secret has 256 bits
 * of chance, so that a plain derivation is enough.
 */
export function seal(text: string, secret: string): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), iv)
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

export function unseal(sealed: string, secret: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  assert(bytes.length > ivBytes + tagBytes, 'a sealed text is too short')
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, ivBytes))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8')
}

const ivBytes = 12
const tagBytes = 16

const keyOf = (secret: string): Uint8Array => new Uint8Array(hkdfSync('sha256', secret, '', 'corridor sign-in', 32))
