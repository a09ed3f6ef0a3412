import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock/clock.ts'
import { assert, faultOf } from '../faults/fault.ts'
import type { Caller } from './caller.ts'
import { callerOf, expired, isExpired, type ClaimRules } from './claims.ts'
import { claimsOf, isSignedBy, keyIdOf } from './compact.ts'
import { invalidToken } from './invalid-token.ts'
import type { KeySet } from './key-set.ts'

export interface TokenVerifier {
  /** Throws an `unauthenticated` fault with the code `invalid_token` and one sentence that says why. */
  verify(token: string, options?: VerifyOptions): Promise<Caller>
}

export interface VerifyOptions {
  /** Where it cannot be asked whether the token was revoked, its signature and its end are enough. */
  readonly believesSignature?: boolean
}

/** Asked on every use of a token: has it, or the grant it came from, been revoked? */
export type IsRevoked = (token: Pick<Caller, 'tokenId' | 'grantId'>) => boolean | Promise<boolean>

interface TokenVerifierOptions {
  readonly issuer: string
  /** The audiences of this service; a token must name one of them. */
  readonly audiences: readonly string[]
  readonly keySet: KeySet
  readonly clock: Clock
  readonly isRevoked?: IsRevoked
  /** How far the clocks of issuer and service may differ. */
  readonly leewaySeconds?: number
  readonly cacheMax?: number
  readonly cacheSeconds?: number
}

/**
 * Verifies RS256 access tokens. A verified token is remembered for a minute (a signature costs 30 µs, a look-up less
 * than one), but its end and its revocation are checked on every use and a refusal is never remembered.
 */
export function makeTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  return new CachingVerifier(options)
}

interface Verified {
  readonly caller: Caller
  readonly staleAtMs: number
}

/** Tokens are the keys of the cache, so their length is what it weighs. */
const cacheCharactersMax = 32 * 1024 * 1024

class CachingVerifier implements TokenVerifier {
  readonly #rules: ClaimRules
  readonly #keySet: KeySet
  readonly #clock: Clock
  readonly #isRevoked: IsRevoked
  readonly #cacheMs: number
  readonly #verified: LRUCache<string, Verified>
  #keysVersion: number | undefined

  constructor(options: TokenVerifierOptions) {
    const { issuer, audiences, leewaySeconds = 60, cacheMax = 10_000, cacheSeconds = 60 } = options
    assert(audiences.length > 0, 'a token verifier needs at least one audience')
    this.#rules = { issuer, audiences: [...audiences], leewaySeconds }
    this.#keySet = options.keySet
    this.#clock = options.clock
    this.#isRevoked = options.isRevoked ?? (() => false)
    this.#cacheMs = cacheSeconds * 1000
    this.#verified = new LRUCache({
      max: cacheMax,
      maxSize: cacheCharactersMax,
      sizeCalculation: (_verified, token) => token.length,
    })
  }

  async verify(token: string, { believesSignature = false }: VerifyOptions = {}): Promise<Caller> {
    const caller = this.#remembered(token) ?? (await this.#verifyAfresh(token))
    if (isExpired(caller.expiresAt, this.#rules.leewaySeconds, this.#clock.now())) throw expired()
    if (await this.#isKnownRevoked(caller, believesSignature)) throw invalidToken('The access token has been revoked.')
    return caller
  }

  async #isKnownRevoked(caller: Caller, believesSignature: boolean): Promise<boolean> {
    try {
      return await this.#isRevoked(caller)
    } catch (thrown) {
      if (believesSignature && faultOf(thrown).kind === 'unavailable') return false
      throw thrown
    }
  }

  #remembered(token: string): Caller | undefined {
    this.#forgetOnKeyChange()
    const verified = this.#verified.get(token)
    return verified !== undefined && this.#clock.monotonicMs() < verified.staleAtMs ? verified.caller : undefined
  }

  async #verifyAfresh(token: string): Promise<Caller> {
    const kid = keyIdOf(token)
    const keysVersion = this.#keySet.version
    const key = await this.#keySet.find(kid)
    if (key === undefined) throw invalidToken('The access token is signed with an unknown key.')
    if (!isSignedBy(key, token)) throw invalidToken('The signature of the access token is not valid.')
    const caller = callerOf(claimsOf(token), this.#rules, this.#clock.now())
    // A key may have been withdrawn just after it was found: what it signed must not be believed for another minute.
    if (keysVersion === this.#keySet.version) {
      this.#verified.set(token, { caller, staleAtMs: this.#clock.monotonicMs() + this.#cacheMs })
    }
    return caller
  }

  #forgetOnKeyChange(): void {
    if (this.#keySet.version === this.#keysVersion) return
    this.#keysVersion = this.#keySet.version
    this.#verified.clear()
  }
}
