import { unauthenticated } from '../faults/fault.ts'
import { takesHtml } from '../http/accept.ts'
import { redirect, type Reply } from '../http/answer.ts'
import { headerOf, type IncomingRequest } from '../http/request.ts'
import { guard, type Who } from '../http/who.ts'
import type { Role } from '../tokens/caller.ts'
import type { Visitor } from './session.ts'
import type { SignIn } from './sign-in.ts'

/**
 * For pages: whoever is at the browser, with one of the roles. Whoever has no session and takes a page is sent to sign
 * in and comes back to the same page; forms, and who asks for JSON, get their 401.
 */
export function visiting(...names: readonly [Role, ...Role[]]): Who<Visitor> {
  return guard('a signed-in user', visitorAt, {
    roles: names,
    rolesOf: ({ caller }) => caller.roles,
    says: `This page is for ${names.map((name) => rolesInWords[name]).join(' and ')}.`,
  })
}

async function visitorAt(request: IncomingRequest, { signIn }: { readonly signIn: SignIn }): Promise<Visitor | Reply> {
  const visit = await signIn.visit(request)
  if (visit.is === 'open') return visit.visitor
  if (request.method === 'GET' && takesHtml(headerOf(request, 'accept'))) {
    return redirect(302, `/sign-in?to=${encodeURIComponent(request.url)}`)
  }
  throw unauthenticated('Your session is over. Sign in again.', { code: 'no_session' })
}

/** The visitor, where what a guard of some route found is one. */
export function visitorIn(found: unknown): Visitor | undefined {
  if (typeof found !== 'object' || found === null) return undefined
  // Sound: what the other guards find has no such pair.
  return 'caller' in found && 'accessToken' in found ? (found as Visitor) : undefined
}

const rolesInWords: Readonly<Record<Role, string>> = {
  ADMIN: 'administrators',
  CLINICIAN: 'clinicians',
  PATIENT: 'patients',
  SYSTEM: 'programs of the platform',
}
