import { unauthenticated } from '../../../packages/faults/fault.ts'
import { countedAddress } from '../../../packages/http/counted-address.ts'
import { limitFailures } from '../../../packages/http/rate-limit.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import { audit, whence } from '../audit/audit.ts'
import type { AuthDeps } from '../deps.ts'
import { digestOf } from '../secrets/digest.ts'
import type { Client } from '../store/clients.ts'
import { findLaunch, type Launch } from '../store/launches.ts'
import type { User } from '../store/users.ts'
import type { Asked } from './asked.ts'
import { worksHere } from './negotiate-scope.ts'

/**
 * The launch that the request names. It is only looked at here, since the request comes back after the login; it is
 * used up when the code is made.
 */
export async function findAskedLaunch(
  { parameters, client }: Asked,
  user: User | undefined,
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<Launch | undefined> {
  const token = parameters['launch']
  if (token === undefined) return undefined
  const launch = await findLaunch(digestOf(token), client.clientId, deps.clock.now(), deps.database)
  // Who chose the patient may have lost the role for it since.
  const isForUser = user === undefined || (launch?.userId === user.id && worksHere(user))
  if (launch !== undefined && isForUser) return launch
  return rejectLaunch({ client, user }, request, deps)
}

/** Anybody can send what is no launch, and each is written down for good: so only as many as an address may fail. */
export function rejectLaunch(
  { client, user }: { readonly client: Client; readonly user: User | undefined },
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<never> {
  const about = { clientId: client.clientId, subject: user?.subject, ...whence(request) }
  return limitFailures(deps.limits.launch, countedAddress(request.peer), async () => {
    await audit({ event: 'launch rejected', outcome: 'failure', ...about }, deps)
    throw launchRejected()
  })
}

export const launchRejected = () =>
  unauthenticated('launch token not found, expired or already used', { code: 'invalid_request' })
