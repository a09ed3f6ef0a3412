import { later } from '../../../packages/clock/later.ts'
import { incorrect } from '../../../packages/faults/fault.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import { printScopes } from '../../../packages/smart/print.ts'
import { auditedRequest, auditIn, whence } from '../audit/audit.ts'
import { challengeOf, isVerifier } from '../authorize/code-challenge.ts'
import type { AuthDeps } from '../deps.ts'
import { revocationTimes } from '../revocation/revocation-times.ts'
import { digestOf } from '../secrets/digest.ts'
import type { Client } from '../store/clients.ts'
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
  if (taken === undefined) await refuseUsed(digestOf(code), client, request, deps)
  if (verifier === undefined) throw incorrect('code_verifier is required.', { code: 'invalid_request' })
  if (!isVerifier(verifier)) throw noVerifier()
  if (taken?.is !== 'granted') {
    throw incorrect('The code is unknown, expired or used, or it does not fit redirect_uri or code_verifier.', {
      code: 'invalid_grant',
    })
  }
  const { grant, user, nonce, refreshExpiresAt } = taken
  const left = leftOf(grant, client, user)
  if (isUnfounded(left, grant)) {
    await endUnfounded(grant, 'no longer within the registration', request, deps)
    throw incorrect('What the code was for is no longer within the registration. Authorize again.', {
      code: 'invalid_grant',
    })
  }
  const refresh = { tokenId, expiresAt: refreshExpiresAt }
  return userTokenResponse({ client, user, grant: left.grant, nonce, refresh, scope: printScopes(left.scopes) }, deps)
}

const noVerifier = () =>
  incorrect('code_verifier must be 43 to 128 letters, digits or any of -._~ (RFC 7636 section 4.1).', {
    code: 'invalid_grant',
  })

/** A code that comes twice was seen by two: nobody can tell which of them is the thief, so both are out. */
function refuseUsed(codeHash: string, client: Client, request: IncomingRequest, deps: AuthDeps): Promise<void> {
  return deps.database.transaction(async (tx) => {
    const grant = await grantOfUsedCode(codeHash, tx)
    if (grant === undefined) return
    await revokeGrant(grant.grantId, revocationTimes(deps), tx)
    const about = { ...grant, clientId: client.clientId, ...whence(request) }
    await auditIn(tx, { event: 'code replayed', outcome: 'failure', ...about }, deps)
  })
}
