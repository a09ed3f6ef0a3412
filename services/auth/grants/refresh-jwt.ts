import { claimsOf, isSignedBy, keyIdOf } from '../../../packages/tokens/compact.ts'
import { localKeySet, type KeySet } from '../../../packages/tokens/key-set.ts'
import type { KeyStore } from '../../../packages/keys/key-store.ts'

/** What one of our refresh tokens says. */
export interface RefreshClaims {
  readonly tokenId: string
  readonly clientId: string
}

/**
 * Reads a refresh token that this server has signed; anything else is undefined. Whether it is still good is a matter
 * of its row, not of its text, so its end is not looked at here.
 */
export function refreshTokenReader(signingKeys: KeyStore, issuer: string): ReadRefreshToken {
  const keySet = localKeySet(() => signingKeys.publicKeys())
  return async (token) => {
    const claims = await verifiedClaims(token, keySet)
    if (claims === undefined || claims['iss'] !== issuer || claims['aud'] !== issuer) return undefined
    const { jti, client_id: clientId } = claims
    return typeof jti === 'string' && typeof clientId === 'string' ? { tokenId: jti, clientId } : undefined
  }
}

export type ReadRefreshToken = (token: string) => Promise<RefreshClaims | undefined>

async function verifiedClaims(token: string, keySet: KeySet): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const key = await keySet.find(keyIdOf(token, isRefreshTokenType))
    return key !== undefined && isSignedBy(key, token) ? claimsOf(token) : undefined
  } catch {
    // Not a JWT, not ours, or damaged: all the same to whoever holds it.
    return undefined
  }
}

const isRefreshTokenType = (typ: unknown): boolean => typ === 'rt+jwt'
