import type { IncomingRequest } from '../../../packages/http/request.ts'
import { auditAllIn, endedEvents, whence } from '../audit/audit.ts'
import type { AuthDeps } from '../deps.ts'
import { revoking } from '../revocation/revoking.ts'
import { revokeOnlineGrants } from '../store/grants.ts'
import { endSession } from '../store/sessions.ts'
import type { Visitor } from './visitor.ts'

/** Ends the login and every app that lived on it; apps with offline access go on. */
export async function signOut({ sessionHash, user }: Visitor, request: IncomingRequest, deps: AuthDeps): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await endSession(sessionHash, deps.clock.now(), tx)
    const ended = await revokeOnlineGrants(sessionHash, revoking(deps), tx)
    const logout = { event: 'logout', subject: user.subject, ...whence(request) } as const
    await auditAllIn(tx, [logout, ...endedEvents(ended, whence(request))], deps)
  })
}

/** The same for a login that was idle for too long: its apps may still be open, and nobody is signed in any more. */
export async function endIdleLogin(sessionHash: string, request: IncomingRequest, deps: AuthDeps): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await endSession(sessionHash, deps.clock.now(), tx)
    const ended = await revokeOnlineGrants(sessionHash, revoking(deps), tx)
    await auditAllIn(tx, endedEvents(ended, whence(request)), deps)
  })
}
