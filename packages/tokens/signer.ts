import { SignJWT, type CryptoKey } from 'jose'

/** A private key and the name that its public half has in the JWKS. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
}

/** The three kinds of token the platform signs; the type keeps one from passing for another. */
export type TokenType = 'at+jwt' | 'rt+jwt' | 'JWT'

export interface Signer {
  /** Signs RS256 in the thread pool: 3.5 ms of a core that the event loop does not spend. */
  sign(token: { readonly typ: TokenType; readonly claims: Readonly<Record<string, unknown>> }): Promise<string>
}

/** Given a function, each token is signed with the key that it returns at that moment, so rotation needs no restart. */
export function makeSigner(signingKey: SigningKey | (() => SigningKey)): Signer {
  const current = typeof signingKey === 'function' ? signingKey : () => signingKey
  return {
    sign({ typ, claims }) {
      const { kid, privateKey } = current()
      return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', typ, kid }).sign(privateKey)
    },
  }
}
