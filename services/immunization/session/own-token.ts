import { decodeJwt } from 'jose'
import type { Session } from './session.ts'

/** What an access token of our own authorization server calls itself. */
export interface OwnToken {
  readonly tokenId: string
  readonly grantId: string | undefined
}

/**
 * Undefined for a session of another server's, whose token may be no JWT at all. That a token is whose it says was the
 * token endpoint's to vouch for: it came from there.
 */
export function ownTokenOf({ tokens }: Pick<Session, 'tokens'>, authUrl: string | undefined): OwnToken | undefined {
  try {
    const { iss, jti, gid } = decodeJwt(tokens.accessToken)
    if (iss === undefined || iss !== authUrl || jti === undefined) return undefined
    return { tokenId: jti, grantId: typeof gid === 'string' ? gid : undefined }
  } catch {
    return undefined
  }
}
