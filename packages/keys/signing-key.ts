import { createPrivateKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, CompactSign, compactVerify, importJWK, type CryptoKey, type JWK } from 'jose'
import type { SigningKey } from '../tokens/signer.ts'

/** A signing key as it lies on disk. Nothing in it ever changes; its state follows from the time. */
export interface StoredKey extends SigningKey {
  /** Counts up; also the name of the file. */
  readonly number: number
  /** From this moment on new tokens are signed with it. Before, it is only published. */
  readonly currentFrom: Date
  readonly publicKey: PublicKey
}

/** A member of the JWKS: what anyone may see of a key. */
export interface PublicKey {
  readonly kty: 'RSA'
  readonly n: string
  readonly e: string
  readonly kid: string
  readonly use: 'sig'
  readonly alg: 'RS256'
}

/** A new RSA 2048 key as the text of its file: a private JWK (RFC 7517) that also says from when it is current. */
export async function makeKeyText(currentFrom: Date): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' })
  const kid = await calculateJwkThumbprint(privateKey)
  return `${JSON.stringify({ ...jwk, kid, use: 'sig', alg: 'RS256', currentFrom: currentFrom.toISOString() }, null, 2)}\n`
}

/** Reads the text of a key file; undefined when it is not an RSA private key of at least 2048 bits. */
export async function readKeyText(number: number, text: string): Promise<StoredKey | undefined> {
  try {
    const stored: unknown = JSON.parse(text)
    if (typeof stored !== 'object' || stored === null) return undefined
    const currentFrom = new Date('currentFrom' in stored ? String(stored.currentFrom) : Number.NaN)
    // What comes out again is a clean JWK, whatever else the file holds.
    const checked = createPrivateKey({ key: { ...stored }, format: 'jwk' })
    const { n, e, ...rest } = checked.export({ format: 'jwk' })
    const bits = checked.asymmetricKeyDetails?.modulusLength ?? 0
    if (rest.kty !== 'RSA' || n === undefined || e === undefined || bits < 2048) return undefined
    if (Number.isNaN(currentFrom.getTime())) return undefined

    // The kid is never taken from the file: it follows from the key (RFC 7638).
    const kid = await calculateJwkThumbprint({ kty: 'RSA', n, e })
    // Extractable, for only such a key can be handed to Node's own signing.
    const privateKey = await importJWK({ ...rest, kty: 'RSA', n, e }, 'RS256', { extractable: true })
    if (privateKey instanceof Uint8Array) return undefined
    await proveThatTheyBelongTogether(privateKey, { kty: 'RSA', n, e })
    const publicKey: PublicKey = { kty: 'RSA', n, e, kid, use: 'sig', alg: 'RS256' }
    return { number, kid, privateKey, publicKey, currentFrom }
  } catch {
    return undefined
  }
}

/** A damaged file can still hold numbers in the right places; only a signature shows that they make a key. */
async function proveThatTheyBelongTogether(privateKey: CryptoKey, publicKey: JWK): Promise<void> {
  const probe = new TextEncoder().encode('corridor')
  const signed = await new CompactSign(probe).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
  await compactVerify(signed, await importJWK(publicKey, 'RS256'))
}
