import type { Clock } from '../clock/clock.ts'
import { later } from '../clock/later.ts'
import { Fault } from '../faults/fault.ts'
import type { Database } from '../sql/database.ts'
import type { Statement } from '../sql/sql.ts'
import { seal } from './sealed.ts'
import type { Tokens } from './session.ts'
import { claimRefresh, postponeRefresh, saveRefreshed } from './store/refreshes.ts'
import type { Granted, TokenAnswer } from './token-endpoint.ts'

/** What a session must have for its tokens to be kept alive. */
interface KeptSession {
  readonly sessionHash: string
  /** The cookie's value: it unseals the tokens and never leaves the process. */
  readonly secret: string
  readonly tokens: Tokens
  readonly accessExpiresAt: Date
  readonly tokenVersion: number
  readonly refreshingUntil: Date | null
}

/** How one kind of session is kept. */
export interface Keeping<Session extends KeptSession> {
  /** Where its rows are. */
  readonly table: Statement
  /** Fewer seconds left than this: the token is replaced before it is used. */
  readonly refreshBelowSeconds: number
  /** Asks for new tokens. An authorization server that does not answer is an `unavailable` fault. */
  readonly ask: (session: Session, refreshToken: string) => Promise<TokenAnswer>
  /** How long that may take at most. */
  readonly askMsMax: number
  /** The session as its row has it now; undefined when it is over. */
  readonly read: (session: Session, now: Date) => Promise<Session | undefined>
  readonly end: (session: Session, now: Date) => Promise<void>
  /** What else an answer changes: in the session, and in its row. */
  readonly also?: (session: Session, granted: Granted) => { members: Partial<Session>; columns: Statement }
  readonly sessionOver: () => Fault
  readonly unavailable: () => Fault
}

interface TokenKeeperDeps {
  readonly database: Database
  readonly clock: Clock
}

/** So much longer than asking may take nobody else asks; then who asked is taken for dead. */
const graceSeconds = 10
const failedWaitSeconds = 5
const pollMs = 50

/**
 * Keeps access tokens alive. Refresh tokens are good once, so only one request at a time may use one: those of this copy
 * share its answer, and a claim in the session's row keeps other copies off.
 */
export class TokenKeeper<Session extends KeptSession> {
  readonly #keeping: Keeping<Session>
  readonly #deps: TokenKeeperDeps
  readonly #running = new Map<string, Promise<Session>>()

  constructor(keeping: Keeping<Session>, deps: TokenKeeperDeps) {
    this.#keeping = keeping
    this.#deps = deps
  }

  /** The session with a token that lasts for this request. */
  async fresh(session: Session): Promise<Session> {
    const leftMs = session.accessExpiresAt.getTime() - this.#deps.clock.now().getTime()
    return leftMs < this.#keeping.refreshBelowSeconds * 1_000 ? this.renew(session) : session
  }

  /** A new token, whatever time the old one has left; who gave it may have refused it since. */
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
    const { refreshToken } = session.tokens
    const isUsable = () => !isRefused && session.accessExpiresAt > clock.now()
    if (refreshToken === undefined) return isUsable() ? session : this.#end(session)
    const now = clock.now()
    const until = later(now, this.#keeping.askMsMax / 1_000 + graceSeconds)
    if (!(await claimRefresh(this.#version(session), { now, until }, database))) {
      return this.#othersAnswer(session, isUsable)
    }
    const answer = await this.#ask(session, refreshToken)
    if (answer?.is === 'granted') return this.#save(session, answer)
    if (answer?.error === 'invalid_grant') return this.#end(session)
    await postponeRefresh(this.#version(session), later(clock.now(), failedWaitSeconds), database)
    if (isUsable()) return session
    throw this.#keeping.unavailable()
  }

  /** Undefined where nobody answers. */
  async #ask(session: Session, refreshToken: string): Promise<TokenAnswer | undefined> {
    try {
      return await this.#keeping.ask(session, refreshToken)
    } catch (error) {
      if (error instanceof Fault && error.kind === 'unavailable') return undefined
      throw error
    }
  }

  async #save(session: Session, granted: Granted): Promise<Session> {
    const { database, clock } = this.#deps
    // A server that does not rotate sends none: the old one stays good.
    const refreshToken = granted.refreshToken ?? session.tokens.refreshToken
    const tokens: Tokens = { accessToken: granted.accessToken, refreshToken }
    const fresh = {
      sealedTokens: seal(JSON.stringify(tokens), session.secret),
      accessExpiresAt: later(clock.now(), granted.expiresInSeconds),
    }
    const also = this.#keeping.also?.(session, granted)
    const isSaved = await saveRefreshed(this.#version(session), fresh, also?.columns, database)
    if (!isSaved) throw this.#keeping.sessionOver()
    const next = { tokenVersion: session.tokenVersion + 1, refreshingUntil: null }
    return { ...session, ...also?.members, ...fresh, ...next, tokens }
  }

  /** Somebody else refreshes. Who has a token that still works goes on with it; who has none waits for the answer. */
  async #othersAnswer(session: Session, isUsable: () => boolean): Promise<Session> {
    const { clock } = this.#deps
    for (;;) {
      const now = clock.now()
      const present = await this.#keeping.read(session, now)
      if (present === undefined) throw this.#keeping.sessionOver()
      if (present.tokenVersion !== session.tokenVersion) return present
      if (isUsable()) return session
      if (present.refreshingUntil === null || present.refreshingUntil <= now) throw this.#keeping.unavailable()
      await clock.sleep(pollMs)
    }
  }

  async #end(session: Session): Promise<never> {
    await this.#keeping.end(session, this.#deps.clock.now())
    throw this.#keeping.sessionOver()
  }

  #version({ sessionHash, tokenVersion }: Session) {
    return { table: this.#keeping.table, sessionHash, tokenVersion }
  }
}
