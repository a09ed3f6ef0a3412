import { createPublicKey, type KeyObject } from 'node:crypto'
import { unavailable } from '../faults/fault.ts'

/** Verification keys by their kid. */
export type Keys = ReadonlyMap<string, KeyObject>

/** More than a key for each day that a retired one stays published; who publishes more is not read at all. */
export const keysMax = 128
const kidCharactersMax = 255
const modulusBitsMin = 2048
const modulusBitsMax = 8192

/**
 * The keys of a JWKS (RFC 7517) that may verify RS256: RSA, for signatures, 2048 to 8192 bits, with an exponent that
 * makes a signature hard to forge. Others are left out, as the RFC asks. Two keys under one kid are ambiguous and
 * neither is used.
 */
export function usableKeys(jwks: unknown): Keys {
  const listed: unknown = isObject(jwks) ? jwks['keys'] : undefined
  if (!Array.isArray(listed) || listed.length > keysMax) {
    throw unavailable('The key set of the authorization server is not readable.', { code: 'KEYS_UNAVAILABLE' })
  }
  const candidates = listed.filter(isUsable)
  const keys = new Map<string, KeyObject>()
  for (const { kid, n, e } of candidates) {
    if (candidates.filter((other) => other.kid === kid).length > 1) continue
    // Only the public numbers go in, so a private key that was published by mistake is not used as one.
    const key = publicKeyOf({ kty: 'RSA', n, e })
    if (key !== undefined) keys.set(kid, key)
  }
  return keys
}

interface RsaKey {
  readonly kid: string
  readonly n: string
  readonly e: string
}

function isUsable(jwk: unknown): jwk is RsaKey {
  if (!isObject(jwk)) return false
  const { kty, use, alg, kid, n, e, key_ops: operations } = jwk
  return (
    kty === 'RSA' &&
    (use === undefined || use === 'sig') &&
    (alg === undefined || alg === 'RS256') &&
    (operations === undefined || (Array.isArray(operations) && operations.includes('verify'))) &&
    typeof kid === 'string' &&
    kid !== '' &&
    kid.length <= kidCharactersMax &&
    typeof e === 'string' &&
    typeof n === 'string' &&
    isUsableModulus(n) &&
    isUsableExponent(e)
  )
}

function publicKeyOf(key: Pick<RsaKey, 'n' | 'e'> & { readonly kty: 'RSA' }): KeyObject | undefined {
  try {
    return createPublicKey({ key: { ...key }, format: 'jwk' })
  } catch {
    return undefined
  }
}

function isUsableModulus(modulus: string): boolean {
  const number = numberIn(modulus)
  const bits = number.toString(2).length
  return number % 2n === 1n && bits >= modulusBitsMin && bits <= modulusBitsMax
}

/** An exponent of one makes the signature the message itself, and an even one has no private key. 2^32 bounds the work. */
function isUsableExponent(exponent: string): boolean {
  const number = numberIn(exponent)
  return number % 2n === 1n && number >= 3n && number < 2n ** 32n
}

/** Base64urlUInt of RFC 7518; nought, which serves for nothing, where there is none. */
function numberIn(text: string): bigint {
  const hex = Buffer.from(text, 'base64url').toString('hex')
  return hex === '' ? 0n : BigInt(`0x${hex}`)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
