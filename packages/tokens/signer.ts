import { KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { CryptoKey } from 'jose'

/** A private key and the name that its public half has in the JWKS. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
}

/** The three kinds of token the platform signs; the type keeps one from passing for another. */
export type TokenType = 'at+jwt' | 'rt+jwt' | 'JWT'

export interface Signer {
  /** Signs RS256 in the thread pool: half a millisecond of a core that the event loop does not spend. */
  sign(token: { readonly typ: TokenType; readonly claims: Readonly<Record<string, unknown>> }): Promise<string>
}

const signBytes = promisify(sign)

/**
 * Given a function, each token is signed with the key that it returns at that moment, so rotation needs no restart. The
 * compact form is put together here: three parts of base64url cost the event loop half of what a general library does.
 */
export function makeSigner(signingKey: SigningKey | (() => SigningKey)): Signer {
  const current = typeof signingKey === 'function' ? signingKey : () => signingKey
  let prepared: PreparedKey | undefined
  return {
    async sign({ typ, claims }) {
      const key = current()
      if (prepared?.of !== key) prepared = prepare(key)
      const signed = `${prepared.headers[typ]}.${encoded(claims)}`
      const signature = await signBytes('RSA-SHA256', Buffer.from(signed), prepared.privateKey)
      return `${signed}.${signature.toString('base64url')}`
    },
  }
}

/** What is the same in every token that a key signs. */
interface PreparedKey {
  readonly of: SigningKey
  readonly privateKey: KeyObject
  readonly headers: Readonly<Record<TokenType, string>>
}

function prepare(of: SigningKey): PreparedKey {
  const header = (typ: TokenType) => encoded({ alg: 'RS256', typ, kid: of.kid })
  const headers = { 'at+jwt': header('at+jwt'), 'rt+jwt': header('rt+jwt'), JWT: header('JWT') }
  return { of, privateKey: KeyObject.from(of.privateKey), headers }
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
