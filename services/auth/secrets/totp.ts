import { createHmac, randomBytes } from 'node:crypto'
import { assert } from '../../../packages/faults/fault.ts'
import { sameSecret } from './digest.ts'

/** Time-based one-time codes (RFC 6238: SHA-1, six digits, thirty seconds), as every authenticator app makes them. */
export function totpStepOf(code: string, secret: string, now: Date): number | undefined {
  const current = Math.floor(now.getTime() / 1_000 / stepSeconds)
  // One step to either side: clocks of telephones differ.
  return [current, current - 1, current + 1].find((step) => sameSecret(codeAt(step, secret), code))
}

export function codeAt(step: number, secret: string): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0x0f
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000
  return String(number).padStart(6, '0')
}

/** 160 bits, as base32. */
export function newTotpSecret(): string {
  return Array.from(randomBytes(32), (byte) => alphabet[byte & 31]).join('')
}

/** A secret as people write it down: in small letters, in groups, padded; undefined where it is too weak or no base32. */
export function readTotpSecret(written: string): string | undefined {
  const secret = written.replaceAll(/[\s=-]/g, '').toUpperCase()
  return /^[A-Z2-7]{16,}$/.test(secret) ? secret : undefined
}

/** What an authenticator app reads from a QR code. */
export function totpAddress(secret: string, username: string): string {
  return `otpauth://totp/Corridor:${encodeURIComponent(username)}?secret=${secret}&issuer=Corridor`
}

export const stepSeconds = 30

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function fromBase32(text: string): Buffer {
  // What is left out of a key makes it weaker, and an empty one is everybody's.
  assert(readTotpSecret(text) === text, 'the secret of one-time codes is base32')
  const bits = text
    .split('')
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
