import { later } from '../../../packages/clock/later.ts'
import { incorrect } from '../../../packages/faults/fault.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import { printScopes } from '../../../packages/smart/print.ts'
import { auditedRequest, auditIn, whence } from '../audit/audit.ts'
import { challengeOf, isVerifier } from '../authorize/code-challenge.ts'
import type { AuthDeps } from '../deps.ts'
import { revoking } from '../revocation/revoking.ts'
import { digestOf } from '../secrets/digest.ts'
import type { Client } from '../store/clients.ts'
import type { TakenCode } from '../store/exchange-codes.ts'
import { grantOfUsedCode } from '../store/codes.ts'
import { revokeGrant } from '../store/grants.ts'
import { endUnfounded, isUnfounded, leftOf } from './left-of-grant.ts'
import { userTokenResponse, type TokenResponse } from './token-response.ts'

interface CodeFields {
  readonly code?: string | undefined
  readonly redirect_uri?: string | undefined
  readonly code_verifier?: string | undefined
}

/** Exchanges an authorization code. Whatever goes wrong after it was found, it is used up. */
export async function exchangeCode(
  fields: CodeFields,
  client: Client,
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<TokenResponse> {
  const { code, redirect_uri: redirectUri, code_verifier: verifier } = fields
  if (code === undefined || redirectUri === undefined) {
    throw incorrect('code and redirect_uri are required.', { code: 'invalid_request' })
  }
  const { clock, ids, settings } = deps
  const tokenId = ids.secret()
  const taken = await deps.codeExchanges.submit({
    codeHash: digestOf(code),
    clientId: client.clientId,
    redirectUri,
    codeChallenge: verifier !== undefined && isVerifier(verifier) ? challengeOf(verifier) : null,
    tokenHash: digestOf(tokenId),
    offlineUntil: later(clock.now(), client.refreshTokenSeconds ?? settings.refreshSeconds),
    ...auditedRequest(request, deps),
  })
  const isReplay = taken === undefined && (await endWhatUsedCodeGave(digestOf(code), client, request, deps))
  if (verifier === undefined) throw incorrect('code_verifier is required.', { code: 'invalid_request' })
  if (!isVerifier(verifier)) throw noVerifier()
  if (isReplay)
    throw refused('The code was used before, so what it gave has ended. A code serves once; authorize again.')
  if (taken === undefined) throw refused('The code is unknown, or of another client.')
  if (taken.is === 'refused') throw refused(refusals[taken.why])
  const { grant, user, nonce, refreshExpiresAt } = taken
  const left = leftOf(grant, client, user)
  if (isUnfounded(left, grant)) {
    await endUnfounded(grant, 'no longer within the registration', request, deps)
    throw refused('What the code was for is no longer within the registration. Authorize again.')
  }
  const refresh = { tokenId, expiresAt: refreshExpiresAt }
  return userTokenResponse({ client, user, grant: left.grant, nonce, refresh, scope: printScopes(left.scopes) }, deps)
}

const refused = (why: string) => incorrect(why, { code: 'invalid_grant' })

/** What the app is told, which had the code in hand: it is used up, so nobody can make anything of the answer. */
const refusals: Readonly<Record<Extract<TakenCode, { is: 'refused' }>['why'], string>> = {
  expired: 'The code has expired. Exchange it as soon as it comes; authorize again.',
  redirect_uri: 'redirect_uri is not the one of the authorization request. Send the same, letter by letter.',
  code_verifier: 'code_verifier does not fit the code_challenge of the authorization request.',
  'user disabled': 'The user who agreed has no account any more.',
  'client disabled': 'This client is not registered any more.',
  'signed out': 'The user has signed out since. Authorize again.',
}

const noVerifier = () =>
  refused('code_verifier must be 43 to 128 letters, digits or any of -._~ (RFC 7636 section 4.1).')

/**
 * A code that comes twice was seen by two: nobody can tell which of them is the thief, so both are out. Whether it was one
 * that this client has used before.
 */
function endWhatUsedCodeGave(
  codeHash: string,
  client: Client,
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<boolean> {
  return deps.database.transaction(async (tx) => {
    const grant = await grantOfUsedCode(codeHash, tx)
    if (grant === undefined) return false
    await revokeGrant(grant.grantId, revoking(deps), tx)
    const about = { ...grant, clientId: client.clientId, ...whence(request) }
    await auditIn(tx, { event: 'code replayed', outcome: 'failure', ...about }, deps)
    return grant.clientId === client.clientId
  })
}
