import { faultOf } from '../../../packages/faults/fault.ts'
import type { IsRevoked } from '../../../packages/tokens/verifier.ts'
import { ownTokenOf } from './own-token.ts'
import type { Session } from './session.ts'

/** Whether what a session was granted is known to have been taken back since. */
export type IsTakenBack = (session: Pick<Session, 'tokens'>) => Promise<boolean>

/**
 * Of tokens that our own authorization server gave: it tells every service what it has revoked, a sign-out at the portal
 * among it. Those of other servers say nothing to us; their FHIR server refuses them at the next call.
 */
export function takenBack({
  authUrl,
  isRevoked = () => false,
}: {
  readonly authUrl: string | undefined
  readonly isRevoked: IsRevoked | undefined
}): IsTakenBack {
  return async (session) => {
    const token = ownTokenOf(session, authUrl)
    if (token === undefined) return false
    try {
      return await isRevoked(token)
    } catch (thrown) {
      // Nobody can say at the moment. The FHIR server asks on its own before it gives anything.
      if (faultOf(thrown).kind === 'unavailable') return false
      throw thrown
    }
  }
}
