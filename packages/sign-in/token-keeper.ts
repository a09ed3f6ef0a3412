import type { Clock } from '../clock/clock.ts'
import { Fault, unauthenticated, unavailable } from '../faults/fault.ts'
import type { Outbound } from '../http/outbound.ts'
import type { Database } from '../sql/database.ts'
import { seal } from './sealed.ts'
import { sessionOf, type Session, type Tokens } from './session.ts'
import { claimRefresh, endSession, findSession, postponeRefresh, saveRefreshed } from './store/sessions.ts'
import { askForTokens, type Granted, type TokenAnswer } from './token-endpoint.ts'

export interface TokenKeeperOptions {
  readonly tokenEndpoint: string
  readonly clientId: string
  readonly idleSeconds: number
}

export interface TokenKeeperDeps {
  readonly database: Database
  readonly clock: Clock
  readonly outbound: Pick<Outbound, 'send'>
}

/** Fewer seconds left than this: the token is replaced before it is used. */
const refreshBelowSeconds = 60
/** Longer than a call may take; after it another request may try. */
const claimSeconds = 20
const failedWaitSeconds = 5
const pollMs = 50

/**
 * Keeps access tokens alive. Refresh tokens are good once, so only one request at a time may use one: those of this copy
 * share its answer, and a claim in the session's row keeps other copies off.
 */
export class TokenKeeper {
  readonly #options: TokenKeeperOptions
  readonly #deps: TokenKeeperDeps
  readonly #running = new Map<string, Promise<Session>>()

  constructor(options: TokenKeeperOptions, deps: TokenKeeperDeps) {
    this.#options = options
    this.#deps = deps
  }

  /** The session with a token that lasts for this request; an `unauthenticated` fault when there is none any more. */
  async fresh(session: Session): Promise<Session> {
    const leftMs = session.accessExpiresAt.getTime() - this.#deps.clock.now().getTime()
    if (leftMs >= refreshBelowSeconds * 1_000) return session
    const key = `${session.sessionHash} ${session.tokenVersion}`
    const running = this.#running.get(key)
    if (running !== undefined) return running
    const renewing = this.#renew(session).finally(() => this.#running.delete(key))
    this.#running.set(key, renewing)
    return renewing
  }

  async #renew(session: Session): Promise<Session> {
    const { database, clock } = this.#deps
    const { refreshToken } = session.tokens
    if (refreshToken === undefined) return this.#isUsable(session) ? session : this.#end(session)
    const now = clock.now()
    if (!(await claimRefresh(session, { now, until: later(now, claimSeconds) }, database))) {
      return this.#othersAnswer(session)
    }
    const answer = await this.#ask(refreshToken)
    if (answer?.is === 'granted') return this.#save(session, answer)
    if (answer?.error === 'invalid_grant') return this.#end(session)
    await postponeRefresh(session, later(clock.now(), failedWaitSeconds), database)
    if (this.#isUsable(session)) return session
    throw unavailable('The authorization server does not answer, and your session needs it. Try again in a moment.')
  }

  /** Undefined where nobody answers. */
  async #ask(refreshToken: string): Promise<TokenAnswer | undefined> {
    const { tokenEndpoint, clientId } = this.#options
    try {
      return await askForTokens(tokenEndpoint, clientId, { refreshToken }, this.#deps)
    } catch (error) {
      if (error instanceof Fault && error.kind === 'unavailable') return undefined
      throw error
    }
  }

  async #save(session: Session, granted: Granted): Promise<Session> {
    const { database, clock } = this.#deps
    const { accessToken, refreshToken = session.tokens.refreshToken } = granted
    const tokens: Tokens = { accessToken, refreshToken }
    const fresh = {
      sealedTokens: seal(JSON.stringify(tokens), session.secret),
      accessExpiresAt: later(clock.now(), granted.expiresInSeconds),
    }
    if (!(await saveRefreshed(session, fresh, database))) throw sessionOver()
    return { ...session, ...fresh, tokens, tokenVersion: session.tokenVersion + 1, refreshingUntil: null }
  }

  /** Somebody else refreshes. Who has a token that still works goes on with it; who has none waits for the answer. */
  async #othersAnswer(session: Session): Promise<Session> {
    const { database, clock } = this.#deps
    for (;;) {
      const now = clock.now()
      const times = { now, idleSince: later(now, -this.#options.idleSeconds) }
      const row = await findSession(session, times, database)
      if (row === undefined) throw sessionOver()
      if (row.tokenVersion !== session.tokenVersion) return sessionOf(row, session.secret)
      if (this.#isUsable(session)) return session
      if (row.refreshingUntil === null || row.refreshingUntil <= now) throw sessionOver()
      await clock.sleep(pollMs)
    }
  }

  #isUsable({ accessExpiresAt }: Session): boolean {
    return accessExpiresAt > this.#deps.clock.now()
  }

  async #end(session: Session): Promise<never> {
    await endSession(session.sessionHash, this.#deps.clock.now(), this.#deps.database)
    throw sessionOver()
  }
}

export const later = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1_000)

const sessionOver = () => unauthenticated('Your session is over. Sign in again.', { code: 'no_session' })
