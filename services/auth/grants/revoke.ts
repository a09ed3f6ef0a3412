import { Fault, unauthenticated } from '../../../packages/faults/fault.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Transaction } from '../../../packages/sql/database.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import { auditIn, whence } from '../audit/audit.ts'
import type { AuthDeps } from '../deps.ts'
import { revoking, revokingToken } from '../revocation/revoking.ts'
import { digestOf } from '../secrets/digest.ts'
import type { Client } from '../store/clients.ts'
import { revokeGrant, revokeOwnGrant } from '../store/grants.ts'
import { refreshTokenState } from '../store/refresh-tokens.ts'
import { forgetTokensOf, revokedTokensOf, revokeToken } from '../store/revocations.ts'

/** A token of ours, as far as revoking it goes. */
type Revocable =
  | { readonly is: 'refresh'; readonly clientId: string; readonly tokenId: string }
  | { readonly is: 'access'; readonly clientId: string; readonly caller: Caller }

/**
 * RFC 7009: a refresh token ends the whole grant, an access token only itself. A token that is unknown, past its end or
 * of another client changes nothing, and the caller is not told. An app that revokes its tokens one by one without end
 * loses the grant: every service reads the list of them.
 */
export async function revoke(
  token: string,
  client: Client | undefined,
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<void> {
  const found = await revocableOf(token, deps)
  if (found === undefined) return
  const owner = client ?? (await publicOwner(found.clientId, deps))
  if (owner?.clientId !== found.clientId) return
  await deps.database.transaction(async (tx) => {
    if (found.is === 'access') {
      await revokeToken(found.caller, revokingToken(found.caller.expiresAt, deps), tx)
      await auditIn(tx, { event: 'token revoked', ...ownerIn(found.caller), ...whence(request) }, deps)
      return boundRevoked(found.caller, request, tx, deps)
    }
    const state = await refreshTokenState(digestOf(found.tokenId), deps.clock.now(), tx)
    if (state === undefined) return
    const ended = await revokeGrant(state.grantId, revoking(deps), tx)
    for (const grant of ended) await auditIn(tx, { event: 'grant revoked', ...grant, ...whence(request) }, deps)
  })
}

async function revocableOf(token: string, deps: AuthDeps): Promise<Revocable | undefined> {
  const refresh = deps.readRefreshToken(token)
  if (refresh !== undefined) return { is: 'refresh', ...refresh }
  try {
    const caller = await deps.accessTokens.verify(token)
    return { is: 'access', clientId: caller.clientId, caller }
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.kind === 'unauthenticated') return undefined
    throw thrown
  }
}

/** Of one grant so many may be on the list by themselves; then the grant takes their place. */
const revokedTokensMax = 1_000

async function boundRevoked(caller: Caller, request: IncomingRequest, tx: Transaction, deps: AuthDeps): Promise<void> {
  const { grantId } = caller
  if (grantId === undefined || (await revokedTokensOf(grantId, deps.clock.now(), tx)) <= revokedTokensMax) return
  await revokeWhole(caller, grantId, request, tx, deps)
  await forgetTokensOf(grantId, tx)
}

async function revokeWhole(
  caller: Caller,
  grantId: string,
  request: IncomingRequest,
  tx: Transaction,
  deps: AuthDeps,
): Promise<void> {
  const why = { event: 'grant revoked', reason: 'too many of its tokens revoked' } as const
  if (caller.fhirUser === undefined) {
    if (!(await revokeOwnGrant(grantId, revoking(deps), tx))) return
    return auditIn(tx, { ...why, ...ownerIn(caller), ...whence(request) }, deps)
  }
  const ended = await revokeGrant(grantId, revoking(deps), tx)
  for (const grant of ended) await auditIn(tx, { ...why, ...grant, ...whence(request) }, deps)
}

/** Whose an access token was. One of a service account is of nobody but the client. */
const ownerIn = ({ clientId, subject, fhirUser, patient, grantId }: Caller) => ({
  ...{ clientId, patient, grantId },
  ...(fhirUser === undefined ? {} : { subject }),
})

/**
 * A public client need not name itself, for the token says whose it is; a confidential one must prove itself. One that is
 * no longer registered has nothing left to revoke.
 */
async function publicOwner(clientId: string, deps: Pick<AuthDeps, 'knownClients'>): Promise<Client | undefined> {
  const owner = await deps.knownClients.find(clientId)
  if (owner === undefined || owner.authMethods.includes('none')) return owner
  throw unauthenticated(`The client must prove itself by ${owner.authMethods.join(' or ')}.`, {
    code: 'invalid_client',
  })
}
