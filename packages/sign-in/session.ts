import type { Caller } from '../tokens/caller.ts'
import type { SessionRow } from './store/sessions.ts'
import { unseal } from './sealed.ts'

/** What the authorization server gave. */
export interface Tokens {
  readonly accessToken: string
  /** Without one the session ends with the access token. */
  readonly refreshToken?: string | undefined
}

/** A browser that is signed in. */
export interface Session extends SessionRow {
  /** The cookie's value: it unseals the tokens and never leaves the process. */
  readonly secret: string
  readonly tokens: Tokens
}

/** Somebody at a browser, with the rights that their token gives them. */
export interface Visitor {
  readonly caller: Caller
  readonly name: string
  /** For calls to other services in their name. */
  readonly accessToken: string
}

/** A row with what its secret unseals. Sound: whoever has sessions seals tokens in them, and nothing else. */
export const sessionOf = <Row extends Pick<SessionRow, 'sealedTokens'>>(row: Row, secret: string) => ({
  ...row,
  secret,
  tokens: JSON.parse(unseal(row.sealedTokens, secret)) as Tokens,
})
