import type { KeyStore } from '../../../packages/keys/key-store.ts'
import { ownTokenReader } from '../grants/own-jwt.ts'
import type { User } from '../store/users.ts'
import { refusal, type Asked, type Refusal } from './asked.ts'

/** The `sub` of an identity token of ours; undefined for anything else. */
export type ReadIdToken = (token: string) => string | undefined

/** Reads identity tokens as hints: OpenID Connect Core section 3.1.2.1 wants old ones taken, so their end is not looked at. */
export function idTokenReader(signingKeys: Pick<KeyStore, 'publicKeys'>, issuer: string): ReadIdToken {
  const read = ownTokenReader('JWT', signingKeys)
  return (token) => {
    const { iss, sub } = read(token) ?? {}
    return iss === issuer && typeof sub === 'string' ? sub : undefined
  }
}

interface HintDeps {
  readonly readIdToken: ReadIdToken
}

/** A hint that says nothing is no reason to guess whom the app means. */
export function checkIdTokenHint({ parameters }: Asked, { readIdToken }: HintDeps): Refusal | undefined {
  const { id_token_hint: hint } = parameters
  return hint === undefined || readIdToken(hint) !== undefined
    ? undefined
    : refusal('invalid_request', 'id_token_hint must be an identity token of this server.')
}

/** Whether this is whom the app means: anybody, unless it names somebody. */
export function isMeant({ parameters }: Asked, { subject }: User, { readIdToken }: HintDeps): boolean {
  const { id_token_hint: hint } = parameters
  return hint === undefined || readIdToken(hint) === subject
}
