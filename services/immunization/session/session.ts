import { digestOf } from '../../../packages/sign-in/sealed.ts'
import type { Tokens } from '../../../packages/sign-in/session.ts'
import type { OpenSession } from '../store/sessions.ts'

/** Somebody at a browser who was launched for a patient. */
export interface Session extends OpenSession {
  /** The cookie's value: it unseals the tokens and never leaves the process. */
  readonly secret: string
  readonly tokens: Tokens
}

/** Patients of two servers may have one id: together with the server it tells whose record a page shows. */
export const patientKeyOf = ({ issuer, patientId }: Pick<Session, 'issuer' | 'patientId'>): string =>
  digestOf(`${issuer} ${patientId}`)

/** Whole seconds until the access token ends, never negative. */
export const secondsRemaining = ({ accessExpiresAt }: Pick<Session, 'accessExpiresAt'>, now: Date): number =>
  Math.max(0, Math.floor((accessExpiresAt.getTime() - now.getTime()) / 1_000))
