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
  /**
   * Resolves when all but so many of the signatures that are now to be made are made: at once, unless there is load. What
   * is asked for later is not waited for, so it ends even when more is asked for than can be made.
   */
  allBut(count: number): Promise<void>
}

const signBytes = promisify(sign)

/**
 * Given a function, each token is signed with the key that it returns at that moment, so rotation needs no restart. The
 * compact form is put together here: three parts of base64url cost the event loop half of what a general library does.
 */
export function makeSigner(signingKey: SigningKey | (() => SigningKey)): Signer {
  const current = typeof signingKey === 'function' ? signingKey : () => signingKey
  let prepared: PreparedKey | undefined
  const line = new Line()
  return {
    async sign({ typ, claims }) {
      const key = current()
      if (prepared?.of !== key) prepared = prepare(key)
      const signed = `${prepared.headers[typ]}.${encoded(claims)}`
      line.enter()
      try {
        const signature = await signBytes('RSA-SHA256', Buffer.from(signed), prepared.privateKey)
        return `${signed}.${signature.toString('base64url')}`
      } finally {
        line.leave()
      }
    },
    allBut: (count) => line.allBut(count),
  }
}

/** Everything that is still to be signed, and who waits for some of it to be. */
class Line {
  #length = 0
  #left = 0
  /** Each resolves when so many have left. */
  #waiting: { readonly left: number; readonly resolve: () => void }[] = []

  enter(): void {
    this.#length++
  }

  leave(): void {
    this.#length--
    this.#left++
    const waiting = this.#waiting
    if (waiting.length === 0) return
    this.#waiting = waiting.filter(({ left }) => left > this.#left)
    for (const { left, resolve } of waiting) if (left <= this.#left) resolve()
  }

  allBut(count: number): Promise<void> {
    const left = this.#left + this.#length - count
    if (left <= this.#left) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ left, resolve }))
  }
}

/** What is the same in every token that a key signs. */
interface PreparedKey {
  readonly of: SigningKey
  readonly privateKey: KeyObject
  readonly headers: Readonly<Record<TokenType, string>>
}

function prepare(of: SigningKey): PreparedKey {
  const header = (typ: TokenType) => headerOf(typ, of)
  const headers = { 'at+jwt': header('at+jwt'), 'rt+jwt': header('rt+jwt'), JWT: header('JWT') }
  return { of, privateKey: KeyObject.from(of.privateKey), headers }
}

/** The first part of every token of this type that the key signs. */
export const headerOf = (typ: TokenType, { kid }: Pick<SigningKey, 'kid'>): string =>
  encoded({ alg: 'RS256', typ, kid })

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
