import type { IncomingRequest } from '../../../packages/http/request.ts'
import { parseScopes } from '../../../packages/smart/parse.ts'
import type { Scope } from '../../../packages/smart/scope.ts'
import { auditIn, whence } from '../audit/audit.ts'
import { isHeldUp, withinRights } from '../authorize/negotiate-scope.ts'
import { mayHavePatient } from '../authorize/patient-context.ts'
import type { AuthDeps } from '../deps.ts'
import { revoking } from '../revocation/revoking.ts'
import type { Client } from '../store/clients.ts'
import type { GrantInToken, UserInToken } from '../store/grant-and-user.ts'
import { revokeGrant } from '../store/grants.ts'

interface Left {
  readonly grant: GrantInToken
  readonly scopes: readonly Scope[]
}

/**
 * What a grant gives today. The registration of its client or the roles of its user may be fewer by now (decision 0974), and
 * with them its patient gone (1059). What is stored stays as it was: when they are more again, it gives more again.
 */
export function leftOf(grant: GrantInToken, client: Client, user: UserInToken): Left {
  const hasPatient = grant.patient !== null && mayHavePatient(user, grant.patient)
  const context = hasPatient ? grant : { ...grant, patient: null, encounter: null }
  // No launch is without a patient.
  const circumstances = { hasPatient, hasEncounter: context.encounter !== null, isLaunched: hasPatient }
  const scopes = withinRights(grant.scope, client, user).filter((scope) => isHeldUp(scope, circumstances))
  return { grant: context, scopes }
}

/** Nothing is left of it but for how long it lives, or no longer the right to live without a login, on which it stands. */
export function isUnfounded({ scopes }: Left, { scope }: GrantInToken): boolean {
  const granted = parseScopes(scope)
  const isEmptied = granted.some(isForSomething) && !scopes.some(isForSomething)
  return scopes.length === 0 || isEmptied || (granted.some(isOffline) && !scopes.some(isOffline))
}

const isOffline = (scope: Scope): boolean => scope.kind === 'special' && scope.name === 'offline_access'

const isForSomething = (scope: Scope): boolean =>
  !isOffline(scope) && !(scope.kind === 'special' && scope.name === 'online_access')

export async function endUnfounded(
  { id }: GrantInToken,
  reason: 'no longer within the registration' | 'its patient was merged into another',
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const ended = await revokeGrant(id, revoking(deps), tx)
    for (const grant of ended) await auditIn(tx, { event: 'grant revoked', reason, ...grant, ...whence(request) }, deps)
  })
}
