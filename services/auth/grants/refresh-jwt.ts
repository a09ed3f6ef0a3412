import type { KeyObject } from 'node:crypto'
import type { KeyStore, PublicKeys } from '../../../packages/keys/key-store.ts'
import { isSignedBy } from '../../../packages/tokens/compact.ts'
import { headerOf } from '../../../packages/tokens/signer.ts'
import { usableKeys } from '../../../packages/tokens/usable-keys.ts'

/** What one of our refresh tokens says. */
export interface RefreshClaims {
  readonly tokenId: string
  readonly clientId: string
}

export type ReadRefreshToken = (token: string) => RefreshClaims | undefined

/**
 * Reads a refresh token that this server has signed; anything else is undefined. Whether it is still good is a matter
 * of its row, not of its text, so its end is not looked at here. Only we make them, so nothing of one has to be understood
 * before its signature is known to be ours: its header is what we write, letter by letter, or it is not ours.
 */
export function refreshTokenReader(signingKeys: Pick<KeyStore, 'publicKeys'>, issuer: string): ReadRefreshToken {
  const keyUnder = keysByHeader(signingKeys)
  return (token) => {
    const [header, payload = '', signature = '', ...more] = token.split('.')
    const key = keyUnder(header)
    if (key === undefined || more.length > 0 || !isCanonical(signature) || !isSignedBy(key, token)) return undefined
    // Sound: we have signed it, and we sign objects.
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Readonly<Record<string, unknown>>
    const { iss, aud, jti, client_id: clientId } = claims
    if (iss !== issuer || aud !== issuer) return undefined
    return typeof jti === 'string' && typeof clientId === 'string' ? { tokenId: jti, clientId } : undefined
  }
}

/** By the header that each writes over refresh tokens; made anew when the keys change. */
function keysByHeader(
  signingKeys: Pick<KeyStore, 'publicKeys'>,
): (header: string | undefined) => KeyObject | undefined {
  let source: PublicKeys | undefined
  let keys: ReadonlyMap<string | undefined, KeyObject> = new Map()
  return (header) => {
    const latest = signingKeys.publicKeys()
    if (latest !== source) {
      keys = new Map([...usableKeys(latest)].map(([kid, key]) => [headerOf('rt+jwt', { kid }), key]))
      source = latest
    }
    return keys.get(header)
  }
}

/** A decoder forgives stray characters; a token has exactly one spelling. */
const isCanonical = (signature: string) => Buffer.from(signature, 'base64url').toString('base64url') === signature
