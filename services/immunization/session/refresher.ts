import { Fault } from '../../../packages/faults/fault.ts'
import type { ImmunizationDeps } from '../deps.ts'
import { askForTokens, type TokenAnswer } from '../launch/token-endpoint.ts'
import { later } from '../settings.ts'
import { claimRefresh, postponeRefresh, saveRefreshed } from '../store/refreshes.ts'
import { endSession, findSession } from '../store/sessions.ts'
import { authorizationUnavailable, sessionOver } from './refusals.ts'
import { seal, unseal } from '../../../packages/sign-in/sealed.ts'
import { secondsRemaining, type Session, type Tokens } from './session.ts'

export type RefreshDeps = Pick<ImmunizationDeps, 'database' | 'clock' | 'issuers' | 'outbound' | 'settings' | 'log'>

/** Fewer than this many seconds: 119 is refreshed, 120 is not. */
const refreshBelowSeconds = 120
/** Longer than a call may take; after it another request may try. */
const claimSeconds = 20
const failedWaitSeconds = 5
const pollMs = 50

/**
 * Keeps access tokens alive. Refresh tokens are good once, so that only one request at a time may use one: those of this
 * copy share its answer, and a claim in the session's row keeps other copies off.
 */
export class SessionRefresher {
  readonly #deps: RefreshDeps
  readonly #running = new Map<string, Promise<Session>>()

  constructor(deps: RefreshDeps) {
    this.#deps = deps
  }

  /** The session with a token that lasts for this request. */
  async fresh(session: Session): Promise<Session> {
    const leftMs = session.accessExpiresAt.getTime() - this.#deps.clock.now().getTime()
    return leftMs < refreshBelowSeconds * 1_000 ? this.renew(session) : session
  }

  /** A new token, whatever time the old one has left; the FHIR server may have refused it. */
  renew(session: Session, options: { readonly isRefused?: boolean } = {}): Promise<Session> {
    const key = `${session.sessionHash} ${session.tokenVersion}`
    const running = this.#running.get(key)
    if (running !== undefined) return running
    const renewing = this.#renew(session, options.isRefused === true).finally(() => this.#running.delete(key))
    this.#running.set(key, renewing)
    return renewing
  }

  async #renew(session: Session, isRefused: boolean): Promise<Session> {
    const { database, clock } = this.#deps
    const isUsable = () => !isRefused && secondsRemaining(session, clock.now()) > 0
    if (session.tokens.refreshToken === undefined) return isUsable() ? session : this.#end(session)
    const now = clock.now()
    if (!(await claimRefresh(session, { now, until: later(now, claimSeconds) }, database))) {
      return this.#othersAnswer(session, isUsable)
    }
    const answer = await this.#ask(session, session.tokens.refreshToken)
    if (answer?.is === 'granted') return this.#save(session, answer)
    if (answer?.error === 'invalid_grant') return this.#end(session)
    await postponeRefresh(session, later(clock.now(), failedWaitSeconds), database)
    if (isUsable()) return session
    throw authorizationUnavailable()
  }

  /** Undefined where nobody answers. */
  async #ask(session: Session, refreshToken: string): Promise<TokenAnswer | undefined> {
    const { issuers, settings } = this.#deps
    try {
      return await askForTokens(await issuers.find(session.issuer), settings.clientId, { refreshToken }, this.#deps)
    } catch (error) {
      if (error instanceof Fault && error.kind === 'unavailable') return undefined
      throw error
    }
  }

  async #save(session: Session, granted: Extract<TokenAnswer, { is: 'granted' }>): Promise<Session> {
    const { database, clock } = this.#deps
    // A server that does not rotate sends none: the old one stays good.
    const refreshToken = granted.refreshToken ?? session.tokens.refreshToken
    const tokens: Tokens = { accessToken: granted.accessToken, refreshToken }
    const fresh = {
      sealedTokens: seal(JSON.stringify(tokens), session.secret),
      accessExpiresAt: later(clock.now(), granted.expiresInSeconds),
      scope: granted.scope ?? session.scope,
    }
    if (!(await saveRefreshed(session, fresh, database))) throw sessionOver()
    return { ...session, ...fresh, tokens, tokenVersion: session.tokenVersion + 1, refreshingUntil: null }
  }

  /** Somebody else refreshes. Who has a token that still works goes on with it; who has none waits for the answer. */
  async #othersAnswer(session: Session, isUsable: () => boolean): Promise<Session> {
    const { database, clock, settings } = this.#deps
    for (;;) {
      const now = clock.now()
      const idleSince = later(now, -settings.sessionIdleSeconds)
      const row = await findSession(session.sessionHash, { now, idleSince }, database)
      if (row === undefined) throw sessionOver()
      if (row.tokenVersion !== session.tokenVersion) {
        return { ...row, secret: session.secret, tokens: tokensOf(row.sealedTokens, session.secret) }
      }
      if (isUsable()) return session
      if (row.refreshingUntil === null || row.refreshingUntil <= now) throw authorizationUnavailable()
      await clock.sleep(pollMs)
    }
  }

  async #end(session: Session): Promise<never> {
    await endSession(session.sessionHash, this.#deps.clock.now(), this.#deps.database)
    throw sessionOver()
  }
}

/** Sound: nobody but this service seals, and it seals tokens. */
export const tokensOf = (sealed: string, secret: string): Tokens => JSON.parse(unseal(sealed, secret)) as Tokens
