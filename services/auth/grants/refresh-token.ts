import { incorrect } from '../../../packages/faults/fault.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Transaction } from '../../../packages/sql/database.ts'
import { coverAll } from '../../../packages/smart/contains.ts'
import { parseScopes } from '../../../packages/smart/parse.ts'
import { printScopes } from '../../../packages/smart/print.ts'
import { auditIn, whence } from '../audit.ts'
import type { AuthDeps } from '../deps.ts'
import { revocationTimes } from '../revocation-times.ts'
import { digestOf } from '../secrets/digest.ts'
import { earlier, later } from '../settings.ts'
import type { Client } from '../store/clients.ts'
import { revokeGrant } from '../store/grants.ts'
import { findRefreshableGrant, refreshTokenState, rotateRefreshToken } from '../store/refresh-tokens.ts'
import { userTokenResponse, type TokenResponse } from './token-response.ts'

/** Swaps a refresh token for new tokens and a new refresh token. */
export async function refreshTokens(
  given: { readonly tokenId: string; readonly scope: string | undefined },
  client: Client,
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<TokenResponse> {
  const { settings, database, clock, ids } = deps
  const now = clock.now()
  const tokenHash = digestOf(given.tokenId)
  const found = await findRefreshableGrant(tokenHash, client.clientId, now, database)
  if (found === undefined) throw unusable()
  const { grant, user } = found
  // Before the swap: an app that asked for too much must not lose its token over it.
  const scope = given.scope === undefined ? grant.scope : narrowed(given.scope, grant.scope)

  const tokenId = ids.secret()
  const expiresAt = earlier(later(now, settings.refreshIdleSeconds), grant.expiresAt)
  const leeway = settings.refreshReuseLeewaySeconds
  const times = { now, reusableSince: leeway === 0 ? undefined : later(now, -leeway) }
  const isSwapped = await database.transaction(async (tx) => {
    if (!(await rotateRefreshToken(tokenHash, { tokenHash: digestOf(tokenId), expiresAt }, times, tx))) {
      await endFamilyOfReused(tokenHash, client, request, tx, deps)
      return false
    }
    const about = { clientId: client.clientId, grantId: grant.id, subject: user.subject, ...whence(request) }
    await auditIn(tx, { event: 'token refreshed', ...about }, deps)
    return true
  })
  if (!isSwapped) throw unusable()
  return userTokenResponse({ client, user, grant, scope, nonce: null, refresh: { tokenId, expiresAt } }, deps)
}

/** RFC 9700 section 4.14.2: a token that comes back was stolen, from the app or by it; the whole family ends. */
async function endFamilyOfReused(
  tokenHash: string,
  client: Client,
  request: IncomingRequest,
  tx: Transaction,
  deps: AuthDeps,
): Promise<void> {
  const state = await refreshTokenState(tokenHash, deps.clock.now(), tx)
  if (state?.isUsed !== true) return
  const { grantId } = state
  await revokeGrant(grantId, revocationTimes(deps), tx)
  const about = { clientId: client.clientId, grantId, ...whence(request) }
  await auditIn(tx, { event: 'refresh token reused', outcome: 'failure', ...about }, deps)
}

/** RFC 6749 section 6: a refresh may ask for less than was granted, never for more. */
function narrowed(wanted: string, granted: string): string {
  const scopes = parseScopes(wanted)
  const unknown = wanted.split(' ').some((word) => word !== '' && parseScopes(word).length === 0)
  if (unknown || scopes.length === 0 || !coverAll(parseScopes(granted), scopes)) {
    throw incorrect('A refresh can only ask for scopes that were granted.', { code: 'invalid_scope' })
  }
  return printScopes(scopes)
}

const unusable = () =>
  incorrect('The refresh token is unknown, expired, used or revoked, or of another client.', { code: 'invalid_grant' })
