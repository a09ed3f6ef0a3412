import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { assert } from '../../../../packages/faults/fault.ts'

/**
 * A private key as it lies in the table: sealed (AES-256-GCM) with the operator's secret, so that a copy of the
 * database signs nothing; as it is where no secret is set, protected as the database is.
 */
export function storedPrivateKey(jwk: string, secret: string | undefined): string {
  if (secret === undefined) return `${open}${jwk}`
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), iv)
  const parts = [iv, cipher.update(jwk, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return sealed + Buffer.concat(parts).toString('base64url')
}

export function openPrivateKey(stored: string, secret: string | undefined): string {
  if (isOpen(stored)) return stored.slice(open.length)
  assert(stored.startsWith(sealed) && secret !== undefined, 'a sealed key needs its secret')
  const bytes = Buffer.from(stored.slice(sealed.length), 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, 12), { authTagLength: 16 })
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
}

/** Whether it lies there as it is. */
export const isOpen = (stored: string): boolean => stored.startsWith(open)

const open = 'open:'
const sealed = 'sealed:'

const keyOf = (secret: string) => new Uint8Array(hkdfSync('sha256', secret, '', 'corridor immunization keys', 32))
