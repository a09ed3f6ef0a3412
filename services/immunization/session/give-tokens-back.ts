import { Fault } from '../../../packages/faults/fault.ts'
import { giveBack } from '../../../packages/sign-in/token-endpoint.ts'
import type { ImmunizationDeps } from '../deps.ts'
import type { Session } from './session.ts'

export type GiveBackDeps = Pick<ImmunizationDeps, 'issuers' | 'outbound' | 'settings' | 'log'>

/**
 * Of a session that is over: what it was granted would else live for weeks, and stand among the apps that its user has let
 * in. Here it is over whatever the server says, so nobody waits long for that or is told of it.
 */
export async function giveTokensBack(
  session: Pick<Session, 'issuer' | 'tokens'>,
  { issuers, outbound, settings, log }: GiveBackDeps,
): Promise<void> {
  const { refreshToken } = session.tokens
  if (refreshToken === undefined) return
  try {
    const { revocationEndpoint } = await issuers.find(session.issuer)
    if (revocationEndpoint !== undefined)
      await giveBack(revocationEndpoint, settings.clientId, refreshToken, { outbound })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    log.warn('the tokens of a session that is over were not revoked', {
      dependency: 'authorization server',
      error: error.message,
    })
  }
}
