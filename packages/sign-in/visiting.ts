import { faultOf, forbidden, unauthenticated } from '../faults/fault.ts'
import { prefersHtml, takesHtml } from '../http/accept.ts'
import { redirect, type Reply } from '../http/answer.ts'
import { headerOf, type IncomingRequest } from '../http/request.ts'
import { guard, type Guard, type Who } from '../http/who.ts'
import type { Role } from '../tokens/caller.ts'
import { openedBy, openedByField } from '../views/opened-by.ts'
import type { Visitor } from './session.ts'
import type { SignIn } from './sign-in.ts'

/**
 * For pages: whoever is at the browser, with one of the roles. Whoever has no session and takes a page is sent to sign
 * in and comes back to the same page; forms, and who asks for JSON, get their 401.
 */
export const visiting = (...names: readonly [Role, ...Role[]]): Who<Visitor> => visitorsWith(names, visitorAt)

/**
 * For forms in which people write: a browser whose session is over, or cannot be looked up, takes what was typed to
 * `/sign-in/again`, where it waits until they have signed in. The route declares `307: nothing`.
 */
export const writing = (...names: readonly [Role, ...Role[]]): Who<Visitor> => visitorsWith(names, writerAt)

function visitorsWith(names: readonly [Role, ...Role[]], find: Guard<Visitor>): Who<Visitor> {
  const who = guard('a signed-in user', find, {
    roles: names,
    rolesOf: ({ caller }) => caller.roles,
    says: `This page is for ${names.map((name) => rolesInWords[name]).join(' and ')}.`,
  })
  return { ...who, checkSent: checkOpener }
}

async function writerAt(request: IncomingRequest, deps: { readonly signIn: SignIn }): Promise<Visitor | Reply> {
  if (!isSentByHand(request)) return visitorAt(request, deps)
  // 307: the browser sends the same form there. Here, where nobody is known yet, its body is not read.
  const again = (why = '') => redirect(307, `/sign-in/again?to=${encodeURIComponent(request.url)}${why}`)
  try {
    const visit = await deps.signIn.visit(request)
    return visit.is === 'open' ? visit.visitor : again()
  } catch (thrown) {
    if (faultOf(thrown).kind === 'unavailable') return again('&why=away')
    throw thrown
  }
}

/** And not by a script. A browser that does not say so (1520) asks for a page, as scripts do not. */
function isSentByHand(request: IncomingRequest): boolean {
  const mode = headerOf(request, 'sec-fetch-mode')
  return mode === undefined ? prefersHtml(headerOf(request, 'accept')) : mode === 'navigate'
}

async function visitorAt(request: IncomingRequest, { signIn }: { readonly signIn: SignIn }): Promise<Visitor | Reply> {
  const visit = await signIn.visit(request)
  if (visit.is === 'open') return visit.visitor
  if (request.method === 'GET' && takesHtml(headerOf(request, 'accept'))) {
    return redirect(302, `/sign-in?to=${encodeURIComponent(request.url)}`)
  }
  throw unauthenticated('Your session is over. Sign in again.', { code: 'no_session' })
}

/**
 * A form is taken from who opened its page. In one browser somebody else may have signed in since, and would do what they
 * never saw in their own name. Programs need not say who they are a second time; every form of our pages does (`PostForm`).
 */
function checkOpener({ caller }: Visitor, request: IncomingRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const said = new URLSearchParams(new TextDecoder().decode(request.rawBody)).getAll(openedByField)
  if (said.some((opener) => opener !== openedBy(caller.subject))) {
    throw forbidden('It was opened by somebody else than who is signed in here now. Nothing was saved.', {
      code: 'FORM_OF_ANOTHER',
    })
  }
  if (said.length === 0 && headerOf(request, 'sec-fetch-mode') === 'navigate') {
    throw forbidden('This form does not say who opened it. Load the page again.', { code: 'FOREIGN_ORIGIN' })
  }
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
