import { hash } from 'node:crypto'
import type { Clock } from '../clock/clock.ts'
import { every, type Recurring } from '../clock/every.ts'
import type { Ids } from '../clock/ids.ts'
import { later } from '../clock/later.ts'
import { Fault, unauthenticated, unavailable } from '../faults/fault.ts'
import { cookieName, clearCookie, setCookie } from '../http/cookies.ts'
import type { Outbound } from '../http/outbound/outbound.ts'
import type { IncomingRequest } from '../http/request.ts'
import type { Log } from '../log/log.ts'
import type { Database } from '../sql/database.ts'
import { earlierNow } from '../sql/earlier-now.ts'
import type { TokenVerifier } from '../tokens/verifier.ts'
import { chosenBefore } from '../views/words/choose-language.ts'
import { namedIn } from './identity.ts'
import { ownPath } from './own-path.ts'
import { digestOf, seal, unseal } from './sealed.ts'
import { sessionOf, type Session, type Visitor } from './session.ts'
import { addAttempt, takeAttempt } from './store/attempts.ts'
import {
  addSession,
  endSession,
  endSessionsOf,
  findSession,
  sessionsTable,
  sweepSessions,
  touchSession,
} from './store/sessions.ts'
import { askForTokens, type Granted } from './token-endpoint.ts'
import { TokenKeeper, type Keeping } from './token-keeper.ts'
import { addressHashOf, tooManyWait } from './waiting-limits.ts'

interface SignInOptions {
  /** `bridge`: the sessions of one service are none of another's. */
  readonly service: string
  /** Its public address. */
  readonly serviceUrl: string
  readonly authUrl: string
  readonly fhirUrl: string
  readonly clientId: string
  readonly sessionSeconds: number
  readonly idleSeconds: number
}

interface SignInDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly outbound: Pick<Outbound, 'send' | 'deadlineMs'>
  readonly verifier: TokenVerifier
}

type Visit = { readonly is: 'open'; readonly visitor: Visitor } | { readonly is: 'none' | 'over' }

type Finished =
  | { readonly is: 'open'; readonly returnTo: string; readonly cookie: string }
  /** The authorization server could not be asked; whether the code is spent is not known. */
  | { readonly is: 'away'; readonly returnTo: string }
  | { readonly is: 'failed'; readonly why: SignInFailure }

export type SignInFailure = 'not-begun-here' | 'refused'

/** Signing in at the pages of a service, through Corridor's own authorization server (code with PKCE). */
export class SignIn {
  readonly #options: SignInOptions
  readonly #deps: SignInDeps
  readonly #keeper: TokenKeeper<Session>
  readonly #isSecure: boolean

  constructor(options: SignInOptions, deps: SignInDeps) {
    this.#options = options
    this.#deps = deps
    this.#isSecure = new URL(options.serviceUrl).protocol === 'https:'
    this.#keeper = new TokenKeeper(this.#keeping(), deps)
  }

  /** Whether the pages of the service are, and so its cookies. */
  get isSecure(): boolean {
    return this.#isSecure
  }

  /** The cookie of a session, as documentation names it. */
  get cookieName(): string {
    return cookieName(this.#cookie('session'), this.#isSecure)
  }

  /** Where to send the browser, and the cookie that binds the attempt to it. */
  async begin(returnTo: string, request: IncomingRequest): Promise<{ location: string; cookie: string }> {
    const { service, authUrl, fhirUrl, clientId } = this.#options
    const { ids, clock, database } = this.#deps
    // Several pages that begin at once in one browser share its secret.
    const browser = this.#secretIn(request, 'attempt') ?? ids.secret()
    const state = ids.secret()
    const nonce = ids.secret()
    const verifier = ids.secret(64)
    const key = { stateHash: digestOf(state), browserHash: digestOf(browser), service }
    const attempt = { sealedVerifier: seal(verifier, state), nonce, returnTo: ownPath(returnTo) }
    const now = clock.now()
    const begun = { addressHash: addressHashOf(request), now, expiresAt: later(now, attemptSeconds) }
    if (!(await addAttempt(key, attempt, begun, database))) throw tooManyWait()
    const location = new URL(`${authUrl}/oauth2/authorize`)
    const parameters = {
      ...{
        response_type: 'code',
        client_id: clientId,
        redirect_uri: this.#redirectUri,
        scope,
        state,
        nonce,
        aud: fhirUrl,
      },
      ...{ code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' },
    }
    for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value)
    const language = chosenBefore(request, this)
    if (language !== undefined) location.searchParams.set('ui_locales', language)
    const cookie = setCookie(this.#cookie('attempt'), browser, {
      isSecure: this.#isSecure,
      maxAgeSeconds: attemptSeconds,
    })
    return { location: location.href, cookie }
  }

  /** The browser is back from the authorization server. */
  async finish(
    given: { readonly code?: string | undefined; readonly state?: string | undefined },
    request: IncomingRequest,
  ): Promise<Finished> {
    const { service, authUrl, clientId } = this.#options
    const browser = this.#secretIn(request, 'attempt')
    if (given.state === undefined || browser === undefined) return { is: 'failed', why: 'not-begun-here' }
    const key = { stateHash: digestOf(given.state), browserHash: digestOf(browser), service }
    const attempt = await takeAttempt(key, this.#deps.clock.now(), this.#deps.database)
    if (attempt === undefined) return { is: 'failed', why: 'not-begun-here' }
    if (given.code === undefined) return { is: 'failed', why: 'refused' }
    const codeVerifier = unseal(attempt.sealedVerifier, given.state)
    const exchange = { code: given.code, codeVerifier, redirectUri: this.#redirectUri }
    try {
      const granted = await askForTokens(`${authUrl}/oauth2/token`, clientId, exchange, this.#deps)
      const name = granted.is === 'granted' ? namedIn(granted.idToken, attempt.nonce) : undefined
      if (granted.is === 'refused' || name === undefined) return { is: 'failed', why: 'refused' }
      return { is: 'open', returnTo: attempt.returnTo, cookie: await this.#open(granted, name) }
    } catch (error) {
      if (error instanceof Fault && error.kind === 'unavailable') return { is: 'away', returnTo: attempt.returnTo }
      throw error
    }
  }

  /** Who is at the browser. The token is refreshed when it is about to end. */
  async visit(request: Pick<IncomingRequest, 'cookies'>): Promise<Visit> {
    const found = await this.#sessionOf(request)
    if (found === undefined) return { is: this.#secretIn(request, 'session') === undefined ? 'none' : 'over' }
    const { clock, database, verifier } = this.#deps
    const now = clock.now()
    if (now.getTime() - found.lastSeenAt.getTime() > touchEveryMs) await touchSession(found.sessionHash, now, database)
    try {
      const { tokens, displayName: name } = await this.#keeper.fresh(found)
      const { accessToken } = tokens
      return { is: 'open', visitor: { caller: await verifier.verify(accessToken), name, accessToken } }
    } catch (error) {
      // The session is over, or its access was taken away.
      if (error instanceof Fault && error.kind === 'unauthenticated') return { is: 'over' }
      throw error
    }
  }

  /** Ends the sessions of whoever is at the browser, at all services; gives the page that ends the login itself. */
  async end(request: IncomingRequest): Promise<{ location: string; cookie: string }> {
    const { clock, database } = this.#deps
    const session = await this.#sessionOf(request)
    if (session !== undefined) await endSessionsOf(session.subject, clock.now(), database)
    const cookie = clearCookie(this.#cookie('session'), { isSecure: this.#isSecure })
    return { location: `${this.#options.authUrl}/logout`, cookie }
  }

  /** Forgets what is past its end, every ten minutes: names and sealed tokens are kept no longer than they serve. */
  keepSweeping(log: Log): Recurring {
    const { clock, database } = this.#deps
    const work = async (signal: AbortSignal) =>
      sweepSessions(this.#options.service, await earlierNow(clock, database), database, signal)
    return every(sweepEveryMs, { work, failed: 'sessions past their end could not be removed' }, { clock, log })
  }

  #keeping(): Keeping<Session> {
    const { authUrl, clientId, idleSeconds } = this.#options
    const { database, outbound } = this.#deps
    return {
      table: sessionsTable,
      refreshBelowSeconds: 60,
      askMsMax: outbound.deadlineMs,
      ask: (_session, refreshToken) => askForTokens(`${authUrl}/oauth2/token`, clientId, { refreshToken }, this.#deps),
      read: async (session, now) => {
        const row = await findSession(session, { now, idleSince: later(now, -idleSeconds) }, database)
        return row && sessionOf(row, session.secret)
      },
      end: ({ sessionHash }, now) => endSession(sessionHash, now, database),
      sessionOver: () => unauthenticated('Your session is over. Sign in again.', { code: 'no_session' }),
      unavailable: () =>
        unavailable('The authorization server does not answer, and your session needs it. Try again in a moment.'),
    }
  }

  async #open(granted: Granted, displayName: string): Promise<string> {
    const { service, sessionSeconds } = this.#options
    const { clock, ids, database, verifier } = this.#deps
    const { subject } = await verifier.verify(granted.accessToken)
    // A new secret for each sign-in: one that somebody planted in the browser before is worth nothing.
    const secret = ids.secret()
    const now = clock.now()
    const tokens = { accessToken: granted.accessToken, refreshToken: granted.refreshToken }
    const session = {
      ...{ sessionHash: digestOf(secret), service, subject, displayName },
      sealedTokens: seal(JSON.stringify(tokens), secret),
      accessExpiresAt: later(now, granted.expiresInSeconds),
      expiresAt: later(now, sessionSeconds),
    }
    await addSession(session, now, database)
    return setCookie(this.#cookie('session'), secret, { isSecure: this.#isSecure })
  }

  async #sessionOf(request: Pick<IncomingRequest, 'cookies'>): Promise<Session | undefined> {
    const secret = this.#secretIn(request, 'session')
    if (secret === undefined) return undefined
    const { service, idleSeconds } = this.#options
    const now = this.#deps.clock.now()
    const key = { sessionHash: digestOf(secret), service }
    const row = await findSession(key, { now, idleSince: later(now, -idleSeconds) }, this.#deps.database)
    return row === undefined ? undefined : sessionOf(row, secret)
  }

  get #redirectUri(): string {
    return `${this.#options.serviceUrl}/sign-in/callback`
  }

  /** Ports share cookies, so the names are the service's own. */
  #cookie(what: 'session' | 'attempt'): string {
    return `corridor_${this.#options.service}_${what}`
  }

  #secretIn(request: Pick<IncomingRequest, 'cookies'>, what: 'session' | 'attempt'): string | undefined {
    const value = request.cookies.get(cookieName(this.#cookie(what), this.#isSecure))
    return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined
  }
}

/** The tokens end with the login: whoever signs out at the authorization server is signed out here. */
const scope = 'openid fhirUser profile online_access user/*.cruds'
/** A minute longer than our authorization server waits for its user: who takes their time at its login page is not sent away. */
const attemptSeconds = 960
const sweepEveryMs = 600_000
/** Once a minute is enough to tell an idle session, and spares a write for every page. */
const touchEveryMs = 60_000
