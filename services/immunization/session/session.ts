import type { Tokens } from '../../../packages/sign-in/session.ts'
import type { OpenSession } from '../store/sessions.ts'

/** Somebody at a browser who was launched for a patient. */
export interface Session extends OpenSession {
  /** The cookie's value: it unseals the tokens and never leaves the process. */
  readonly secret: string
  readonly tokens: Tokens
}

/** Whole seconds until the access token ends, never negative. */
export const secondsRemaining = ({ accessExpiresAt }: Pick<Session, 'accessExpiresAt'>, now: Date): number =>
  Math.max(0, Math.floor((accessExpiresAt.getTime() - now.getTime()) / 1_000))
