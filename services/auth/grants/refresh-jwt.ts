import type { KeyStore } from '../../../packages/keys/key-store.ts'
import { ownTokenReader } from './own-jwt.ts'

/** What one of our refresh tokens says. */
interface RefreshClaims {
  readonly tokenId: string
  readonly clientId: string
}

export type ReadRefreshToken = (token: string) => RefreshClaims | undefined

/** Reads a refresh token of ours. Whether it is still good is a matter of its row, not of its text. */
export function refreshTokenReader(signingKeys: Pick<KeyStore, 'publicKeys'>, issuer: string): ReadRefreshToken {
  const read = ownTokenReader('rt+jwt', signingKeys)
  return (token) => {
    const { iss, aud, jti, client_id: clientId } = read(token) ?? {}
    if (iss !== issuer || aud !== issuer) return undefined
    return typeof jti === 'string' && typeof clientId === 'string' ? { tokenId: jti, clientId } : undefined
  }
}
