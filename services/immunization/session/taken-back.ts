import { decodeJwt } from 'jose'
import { faultOf } from '../../../packages/faults/fault.ts'
import type { IsRevoked } from '../../../packages/tokens/verifier.ts'
import type { Session } from './session.ts'

/** Whether what a session was granted is known to have been taken back since. */
export type IsTakenBack = (session: Pick<Session, 'tokens'>) => Promise<boolean>

/**
 * Of tokens that our own authorization server gave: it tells every service what it has revoked, a sign-out at the portal
 * among it. Those of other servers say nothing to us; their FHIR server refuses them at the next call.
 */
export function takenBack({
  issuer,
  isRevoked = () => false,
}: {
  readonly issuer: string | undefined
  readonly isRevoked: IsRevoked | undefined
}): IsTakenBack {
  return async ({ tokens }) => {
    const token = namesIn(tokens.accessToken)
    if (token === undefined || token.issuer !== issuer) return false
    try {
      return await isRevoked(token)
    } catch (thrown) {
      // Nobody can say at the moment. The FHIR server asks on its own before it gives anything.
      if (faultOf(thrown).kind === 'unavailable') return false
      throw thrown
    }
  }
}

/** What the token calls itself; its signature was the token endpoint's to vouch for. Others may be no JWT at all. */
function namesIn(accessToken: string) {
  try {
    const { iss, jti, gid } = decodeJwt(accessToken)
    if (jti === undefined) return undefined
    return { issuer: iss, tokenId: jti, grantId: typeof gid === 'string' ? gid : undefined }
  } catch {
    return undefined
  }
}
