import { forbidden, unauthenticated } from '../faults/fault.ts'
import { prefersHtml } from '../http/accept.ts'
import { redirect, type Reply } from '../http/answer.ts'
import { headerOf, type IncomingRequest } from '../http/request.ts'
import { guard, type Who } from '../http/who.ts'
import type { Role } from '../tokens/caller.ts'
import type { Visitor } from './session.ts'
import type { SignIn, Visit } from './sign-in.ts'

/** For pages: finds who is at the browser. `admit` says what becomes of it. */
export const visiting: Who<Visit> = guard(
  'a signed-in user',
  async (request, { signIn }: { readonly signIn: SignIn }) => {
    const visit = await signIn.visit(request)
    // Nobody's forms are read. A page is left to `admit`, which leads a browser to where one signs in.
    if (visit.is !== 'open' && request.method !== 'GET') throw sessionOver()
    return visit
  },
)

/**
 * The visitor when they have one of the roles. Browsers without a session are sent to sign in and come back to the same
 * page; what a script fetches gets its 401.
 */
export function admit(
  visit: Visit,
  request: IncomingRequest,
  roles: readonly [Role, ...Role[]],
): Visitor | Reply<302, undefined> {
  if (visit.is === 'open') {
    if (roles.some((role) => visit.visitor.caller.roles.has(role))) return visit.visitor
    throw forbidden(`This page is for ${roles.map((role) => rolesInWords[role]).join(' and ')}.`)
  }
  if (request.method !== 'GET' || !prefersHtml(headerOf(request, 'accept'))) {
    throw sessionOver()
  }
  return redirect(302, `/sign-in?to=${encodeURIComponent(request.url)}`)
}

/** The visitor, where what a guard of some route found is one. */
export function visitorIn(found: unknown): Visitor | undefined {
  if (typeof found !== 'object' || found === null || !('visitor' in found)) return undefined
  // Sound: nothing but a visit that is open has one.
  return found.visitor as Visitor
}

const sessionOver = () => unauthenticated('Your session is over. Sign in again.', { code: 'no_session' })

const rolesInWords: Readonly<Record<Role, string>> = {
  ADMIN: 'administrators',
  CLINICIAN: 'clinicians',
  PATIENT: 'patients',
  SYSTEM: 'programs of the platform',
}
