import { incorrect } from '../../../packages/faults/fault.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Transaction } from '../../../packages/sql/database.ts'
import { auditIn, whence } from '../audit.ts'
import { challengeOf, isVerifier } from '../authorize/code-challenge.ts'
import type { AuthDeps } from '../deps.ts'
import { revocationTimes } from '../revocation-times.ts'
import { digestOf, sameSecret } from '../secrets/digest.ts'
import { earlier, later } from '../settings.ts'
import type { Client } from '../store/clients.ts'
import { consumeCode, grantOfUsedCode, type Code } from '../store/codes.ts'
import { addGrant, revokeGrant, type Grant } from '../store/grants.ts'
import { findUserById, type User } from '../store/users.ts'
import { userTokenResponse, type TokenResponse } from './token-response.ts'

export interface CodeFields {
  readonly code?: string | undefined
  readonly redirect_uri?: string | undefined
  readonly code_verifier?: string | undefined
}

interface Exchanged {
  readonly user: User
  readonly grant: Grant
  readonly nonce: string | null
  readonly refresh: { readonly tokenId: string; readonly expiresAt: Date }
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
  const codeHash = digestOf(code)
  // Refusals are values here: thrown inside, they would undo that the code was used.
  const outcome = await deps.database.transaction(async (tx) => {
    const found = await consumeCode(codeHash, client.clientId, deps.clock.now(), tx)
    if (found === undefined) return refuseUsed(codeHash, client, request, tx, deps)
    return takeGrant(found, { redirectUri, verifier }, client, request, tx, deps)
  })
  if (outcome === undefined) {
    throw incorrect('The code is unknown, expired or used, or it does not fit redirect_uri or code_verifier.', {
      code: 'invalid_grant',
    })
  }
  return userTokenResponse({ client, scope: outcome.grant.scope, ...outcome }, deps)
}

/** A code that comes twice was seen by two: nobody can tell which of them is the thief, so both are out. */
async function refuseUsed(
  codeHash: string,
  client: Client,
  request: IncomingRequest,
  tx: Transaction,
  deps: AuthDeps,
): Promise<undefined> {
  const grantId = await grantOfUsedCode(codeHash, tx)
  if (grantId === undefined) return
  await revokeGrant(grantId, revocationTimes(deps), tx)
  const about = { clientId: client.clientId, grantId, ...whence(request) }
  await auditIn(tx, { event: 'code replayed', outcome: 'failure', ...about }, deps)
}

async function takeGrant(
  code: Code,
  given: { readonly redirectUri: string; readonly verifier: string | undefined },
  client: Client,
  request: IncomingRequest,
  tx: Transaction,
  deps: AuthDeps,
): Promise<Exchanged | undefined> {
  const now = deps.clock.now()
  const about = { clientId: client.clientId, grantId: code.grantId, ...whence(request) }
  const user = await findUserById(code.userId, tx)
  const why = refusalOf(code, given, now)
  if (why !== undefined || user === undefined) {
    await auditIn(tx, { event: 'code exchanged', outcome: 'failure', reason: why ?? 'user disabled', ...about }, deps)
    return undefined
  }
  const { settings, ids } = deps
  const isOffline = code.scope.split(' ').includes('offline_access')
  const wholeSeconds = client.refreshTokenSeconds ?? settings.refreshSeconds
  const grant: Grant = {
    ...code,
    id: code.grantId,
    isOffline,
    expiresAt: isOffline ? later(now, wholeSeconds) : code.sessionExpiresAt,
  }
  const tokenId = ids.secret()
  const refresh = { tokenId, expiresAt: earlier(later(now, settings.refreshIdleSeconds), grant.expiresAt) }
  await addGrant(grant, { tokenHash: digestOf(tokenId), expiresAt: refresh.expiresAt }, now, tx)
  const whom = { subject: user.subject, patient: code.patient ?? undefined }
  await auditIn(tx, { event: 'token issued', ...about, ...whom }, deps)
  return { user, grant, nonce: code.nonce, refresh }
}

function refusalOf(
  code: Code,
  { redirectUri, verifier }: { readonly redirectUri: string; readonly verifier: string | undefined },
  now: Date,
): string | undefined {
  if (code.expiresAt <= now) return 'expired'
  if (redirectUri !== code.redirectUri) return 'redirect_uri'
  if (verifier === undefined || !isVerifier(verifier)) return 'code_verifier'
  return sameSecret(challengeOf(verifier), code.codeChallenge) ? undefined : 'code_verifier'
}
