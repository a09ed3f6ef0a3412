import { hash } from 'node:crypto'
import { later } from '../../../packages/clock/later.ts'
import { forbidden, unauthenticated } from '../../../packages/faults/fault.ts'
import { prefersHtml, takesHtml } from '../../../packages/http/accept.ts'
import { redirect, type Reply } from '../../../packages/http/answer.ts'
import { clearCookie, cookieName, setCookie } from '../../../packages/http/cookies.ts'
import { headerOf, type IncomingRequest } from '../../../packages/http/request.ts'
import { guard, type Who } from '../../../packages/http/who.ts'
import type { AuthDeps } from '../deps.ts'
import { digestOf, sameSecret } from '../secrets/digest.ts'
import type { AuthSettings } from '../settings.ts'
import { findSession, touchSession, type Session } from '../store/sessions.ts'
import { loginFor } from './next-page.ts'

/** Somebody at a browser who has signed in. */
export interface Visitor extends Session {
  /** Goes into our own forms; checked when a form has one. */
  readonly csrf: string
}

/** Ports share cookies, so the name is this service's own. */
const cookie = 'corridor_auth'

type VisitorDeps = Pick<AuthDeps, 'settings' | 'database' | 'clock'>

/** Whoever is at the browser, or nobody: for routes that have an answer for both. */
export const visitor: Who<Visitor | undefined> = guard('anyone, more for a signed-in user', visitorOf)

/** Somebody who has signed in. Whoever takes a page and has no session gets to the login page, programs to their 401. */
export const user: Who<Visitor> = guard('a signed-in user', userAt)

/** The portal is for those who treat patients and those who run the place. */
export const staff: Who<Visitor> = guard('a signed-in user', userAt, {
  roles: ['CLINICIAN', 'ADMIN'],
  rolesOf: ({ user: { roles } }) => roles,
  says: 'The portal is for clinicians.',
})

async function userAt(request: IncomingRequest, deps: VisitorDeps): Promise<Visitor | Reply> {
  const found = await visitorOf(request, deps)
  if (found !== undefined) return found
  const isForPeople = request.method === 'GET' ? takesHtml : prefersHtml
  if (isForPeople(headerOf(request, 'accept'))) return redirect(302, loginFor(request.url))
  throw unauthenticated('Sign in first.')
}

export async function visitorOf(request: IncomingRequest, deps: VisitorDeps): Promise<Visitor | undefined> {
  const { settings, database, clock } = deps
  const id = sessionIdIn(request, settings)
  if (id === undefined) return undefined
  const now = clock.now()
  const idleSince = later(now, -settings.sessionIdleSeconds)
  const session = await findSession(digestOf(id), { now, idleSince }, database)
  if (session === undefined) return undefined
  if (now.getTime() - session.lastSeenAt.getTime() > seenAgainMs(settings)) {
    await touchSession(session.sessionHash, now, database)
  }
  return { ...session, csrf: csrfOf(id) }
}

/** Once a minute is enough to tell an idle session, and spares a write for every page; less where little is idle. */
const seenAgainMs = ({ sessionIdleSeconds }: AuthSettings): number => Math.min(60_000, sessionIdleSeconds * 100)

/** The digest of the session that this browser had last, alive or not. */
export function lastSessionIn(request: IncomingRequest, settings: AuthSettings): string | undefined {
  const id = sessionIdIn(request, settings)
  return id === undefined ? undefined : digestOf(id)
}

function sessionIdIn(request: IncomingRequest, settings: AuthSettings): string | undefined {
  const id = request.cookies.get(sessionCookieName(settings))
  return id !== undefined && /^[A-Za-z0-9_-]{43}$/.test(id) ? id : undefined
}

/** Follows from the session's secret, so it needs no place of its own. */
const csrfOf = (sessionId: string): string => hash('sha256', `csrf ${sessionId}`, 'base64url')

export function checkCsrf(given: string | undefined, by: Visitor): void {
  if (isOfThisLogin(given, by)) return
  throw forbidden('This form is from an earlier login. Load the page again.', { code: 'FOREIGN_ORIGIN' })
}

/** Whether a form is of this login: of an earlier one it may be of somebody else. */
export const isOfThisLogin = (given: string | undefined, { csrf }: Visitor): boolean =>
  given === undefined || sameSecret(given, csrf)

export const sessionCookieName = ({ isSecure }: AuthSettings): string => cookieName(cookie, isSecure)

/** Lives as long as the browser; its end is the server's to decide. */
export const sessionCookie = (id: string, { isSecure }: AuthSettings): string => setCookie(cookie, id, { isSecure })
export const noSessionCookie = ({ isSecure }: AuthSettings): string => clearCookie(cookie, { isSecure })
