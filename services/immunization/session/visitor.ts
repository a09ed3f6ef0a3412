import { later } from '../../../packages/clock/later.ts'
import { Fault } from '../../../packages/faults/fault.ts'
import { redirect, type Reply } from '../../../packages/http/answer.ts'
import { clearCookie, cookieName, setCookie } from '../../../packages/http/cookies.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import { guard, type Who } from '../../../packages/http/who.ts'
import type { ImmunizationDeps } from '../deps.ts'
import { launchSeconds } from '../launch/start-launch.ts'
import type { ImmunizationSettings } from '../settings.ts'
import { findSession, isKnownSession, touchSession } from '../store/sessions.ts'
import { endLeftSession } from './end-left-session.ts'
import { noSession, sessionOver } from './refusals.ts'
import { digestOf } from '../../../packages/sign-in/sealed.ts'
import { sessionOf } from '../../../packages/sign-in/session.ts'
import type { Session } from './session.ts'

type VisitorDeps = Pick<
  ImmunizationDeps,
  'settings' | 'database' | 'clock' | 'keeper' | 'isTakenBack' | 'issuers' | 'outbound' | 'log'
>

/** For `/api/**`: who has no session gets 401 no_session. The token is refreshed before the handler runs. */
export const smartSession: Who<Session> = guard('a SMART session', async (request, deps: VisitorDeps) => {
  const visit = await visitOf(request, deps)
  if (visit.is === 'open') return visit.session
  throw visit.is === 'over' ? sessionOver() : noSession()
})

export type Visit = { readonly is: 'open'; readonly session: Session } | { readonly is: 'none' | 'over' }

/** For pages, which lead who has no session to the start page. */
export const visitor: Who<Visit> = guard('a SMART session', (request, deps: VisitorDeps) => visitOf(request, deps))

async function visitOf(request: IncomingRequest, deps: VisitorDeps): Promise<Visit> {
  const secret = secretIn(request, ownSessionCookie, deps.settings)
  if (secret === undefined) return { is: 'none' }
  const found = await openSessionOf(request, deps)
  if (found === undefined) return { is: (await isKnownSession(digestOf(secret), deps.database)) ? 'over' : 'none' }
  const now = deps.clock.now()
  if (now.getTime() - found.lastSeenAt.getTime() > touchEveryMs) {
    await touchSession(found.sessionHash, now, deps.database)
  }
  try {
    const session = await deps.keeper.fresh(found)
    // Before anything is shown that was read a moment ago. Where only the token was revoked there is another.
    const isTakenBack = await deps.isTakenBack(session)
    return { is: 'open', session: isTakenBack ? await deps.keeper.renew(session, { isRefused: true }) : session }
  } catch (error) {
    if (error instanceof Fault && error.kind === 'unauthenticated') return { is: 'over' }
    throw error
  }
}

/** Once a minute is enough to tell an idle session, and spares a write for every request. */
export const touchEveryMs = 60_000

/** The session of this browser; one that was left for too long is ended, with what it was granted. */
export async function openSessionOf(
  request: Pick<IncomingRequest, 'cookies'>,
  deps: Omit<VisitorDeps, 'keeper' | 'isTakenBack'>,
): Promise<Session | undefined> {
  const { settings, clock, database } = deps
  const secret = secretIn(request, ownSessionCookie, settings)
  if (secret === undefined) return undefined
  const now = clock.now()
  const times = { now, idleSince: later(now, -settings.sessionIdleSeconds) }
  const row = await findSession(digestOf(secret), times, database)
  if (row !== undefined) return sessionOf(row, secret)
  await endLeftSession(secret, deps)
  return undefined
}

// Ports share cookies, so the names are this service's own.
const ownSessionCookie = 'corridor_immunization'
const ownLaunchCookie = 'corridor_immunization_launch'

function secretIn(request: Pick<IncomingRequest, 'cookies'>, name: string, { isSecure }: ImmunizationSettings) {
  const value = request.cookies.get(cookieName(name, isSecure))
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined
}

export const sessionCookieName = ({ isSecure }: ImmunizationSettings): string => cookieName(ownSessionCookie, isSecure)

/** Lives as long as the browser; its end is the server's to decide. */
export const sessionCookie = (secret: string, { isSecure }: ImmunizationSettings): string =>
  setCookie(ownSessionCookie, secret, { isSecure })

export const noSessionCookie = ({ isSecure }: ImmunizationSettings): string =>
  clearCookie(ownSessionCookie, { isSecure })

/** Binds a launch to the browser that began it. Several launches at once share it. */
export const launchCookie = (secret: string, { isSecure }: ImmunizationSettings): string =>
  setCookie(ownLaunchCookie, secret, { isSecure, maxAgeSeconds: launchSeconds })

export const launchSecretOf = (request: Pick<IncomingRequest, 'cookies'>, settings: ImmunizationSettings) =>
  secretIn(request, ownLaunchCookie, settings)

/** Where a page sends who has no session, or one that is over. */
export function toStart(
  { is }: Exclude<Visit, { readonly is: 'open' }>,
  settings: ImmunizationSettings,
): Reply<302, undefined> {
  const error = is === 'over' ? 'session_expired' : 'no_session'
  return redirect(302, `/launch?error=${error}`, { 'set-cookie': noSessionCookie(settings) })
}
