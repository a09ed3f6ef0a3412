import { incorrect } from '../../../packages/faults/fault.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import { coverAll } from '../../../packages/smart/contains.ts'
import { parseScopes } from '../../../packages/smart/parse.ts'
import { printScopes } from '../../../packages/smart/print.ts'
import { auditedRequest, auditIn, whence } from '../audit/audit.ts'
import type { AuthDeps } from '../deps.ts'
import { revoking } from '../revocation/revoking.ts'
import { digestOf } from '../secrets/digest.ts'
import type { Client } from '../store/clients.ts'
import { revokeGrant } from '../store/grants.ts'
import { findRefreshableGrant, refreshTokenState } from '../store/refresh-tokens.ts'
import { endUnfounded, isUnfounded, leftOf } from './left-of-grant.ts'
import { isMergedAway } from './merged-patient.ts'
import { reusableSince } from './refresh-swaps.ts'
import { userTokenResponse, type TokenResponse } from './token-response.ts'

/** Swaps a refresh token for new tokens and a new refresh token. */
export async function refreshTokens(
  given: { readonly tokenId: string; readonly scope: string | undefined },
  client: Client,
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<TokenResponse> {
  const tokenHash = digestOf(given.tokenId)
  // Before the swap: an app that asked for too much must not lose its token over it.
  const wanted = given.scope === undefined ? undefined : await narrowed(given.scope, tokenHash, client, request, deps)
  const tokenId = deps.ids.secret()
  const swapped = await deps.refreshSwaps.submit({
    tokenHash,
    clientId: client.clientId,
    successorHash: digestOf(tokenId),
    ...auditedRequest(request, deps),
  })
  if (swapped === undefined) {
    throw (await endFamilyOfReused(tokenHash, client, request, deps)) ? reused() : unusable()
  }
  const { grant, user, refreshExpiresAt } = swapped
  const left = leftOf(grant, client, user)
  if (isUnfounded(left, grant)) {
    await endUnfounded(grant, 'no longer within the registration', request, deps)
    throw incorrect('What was granted is no longer within the registration. Authorize again.', {
      code: 'invalid_grant',
    })
  }
  const refresh = { tokenId, expiresAt: refreshExpiresAt }
  const scope = wanted ?? printScopes(left.scopes)
  const tokens = { client, user, grant: left.grant, scope, nonce: null, refresh }
  // At the same time: the look takes hardly longer than the signatures.
  const [response, isMerged] = await Promise.all([
    userTokenResponse(tokens, deps),
    isMergedAway(left.grant.patient, user, deps),
  ])
  if (!isMerged) return response
  await endUnfounded(grant, 'its patient was merged into another', request, deps)
  throw incorrect('The record of the patient was merged into another. Authorize again, for the patient it is now.', {
    code: 'invalid_grant',
  })
}

/**
 * RFC 9700 section 4.14.2: a token that comes back was stolen, from the app or by it; the whole family ends. Whether this
 * was one, and not only a token that cannot be used.
 */
async function endFamilyOfReused(
  tokenHash: string,
  client: Client,
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<boolean> {
  const now = deps.clock.now()
  const leeway = reusableSince(now, deps.settings)
  return deps.database.transaction(async (tx) => {
    const found = await findRefreshableGrant(tokenHash, client.clientId, now, tx)
    const { usedAt } = (await refreshTokenState(tokenHash, now, tx)) ?? { usedAt: null }
    if (found === undefined || usedAt === null || (leeway !== null && usedAt > leeway)) return false
    const { grant, user } = found
    await revokeGrant(grant.id, revoking(deps), tx)
    const whose = { clientId: client.clientId, grantId: grant.id, subject: user.subject, patient: grant.patient }
    await auditIn(tx, { event: 'refresh token reused', outcome: 'failure', ...whose, ...whence(request) }, deps)
    return true
  })
}

/** RFC 6749 section 6: a refresh may ask for less than was granted, never for more. Undefined where nothing is left. */
async function narrowed(
  wanted: string,
  tokenHash: string,
  client: Client,
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<string | undefined> {
  const found = await findRefreshableGrant(tokenHash, client.clientId, deps.clock.now(), deps.database)
  if (found === undefined) throw unusable()
  const { grant, user } = found
  // Whatever the wish, the swap ends such a grant.
  if (isUnfounded(leftOf(grant, client, user), grant)) return undefined
  const scopes = parseScopes(wanted).filter(deps.isServable)
  const unknown = wanted.split(' ').some((word) => word !== '' && parseScopes(word).length === 0)
  // An app may repeat what it was granted once: what was taken away since is left out, as it is without a wish.
  const left = leftOf({ ...grant, scope: printScopes(scopes) }, client, user).scopes
  if (unknown || left.length === 0 || !coverAll(parseScopes(grant.scope), scopes)) {
    if (await endFamilyOfReused(tokenHash, client, request, deps)) throw reused()
    throw incorrect('A refresh can only ask for scopes that were granted.', { code: 'invalid_scope' })
  }
  return printScopes(left)
}

const reused = () =>
  incorrect(
    'The refresh token was used before, so all that was granted with it has ended. Each serves once; authorize again.',
    { code: 'invalid_grant' },
  )

const unusable = () =>
  incorrect('The refresh token is unknown, expired, used or revoked, or of another client.', { code: 'invalid_grant' })
