import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JSONWebKeySet } from 'jose'
import { systemClock, type Clock } from '../clock/clock.ts'
import { systemIds, type Ids } from '../clock/ids.ts'
import { answers } from '../faults/answers.ts'
import { localKeySet } from '../tokens/key-set.ts'
import { makeSigner } from '../tokens/signer.ts'
import { makeTokenVerifier, type TokenVerifier } from '../tokens/verifier.ts'
import { makeTestKey, type TestKey } from './test-key.ts'
import { claimsFor, type TokenWish } from './token-claims.ts'

export type { TokenWish } from './token-claims.ts'

interface TestIssuerOptions {
  readonly clock?: Clock
  readonly ids?: Ids
  /** Hand over a key that is there already; making one costs 400 ms. */
  readonly key?: TestKey
  /** What tokens are for unless a test says otherwise. */
  readonly audience?: string | readonly string[]
}

/** A real issuer: an RSA key, its JWKS on a loopback port, and tokens for anyone. */
export async function testIssuer(options: TestIssuerOptions = {}): Promise<TestIssuer> {
  const { clock = systemClock, ids = systemIds, audience = 'corridor', key = await makeTestKey() } = options
  const issuer = new TestIssuer(key, { clock, ids, audience })
  await issuer.listen()
  return issuer
}

export class TestIssuer implements AsyncDisposable {
  /** How often the JWKS was fetched. */
  jwksFetches = 0
  #key: TestKey
  #jwks: JSONWebKeySet
  readonly #defaults: Required<Pick<TestIssuerOptions, 'clock' | 'ids' | 'audience'>>
  readonly #signer = makeSigner(() => this.#key)
  readonly #server: Server = createServer((request, response) => {
    if (request.url !== jwksPath) return void response.writeHead(answers.missing.httpStatus).end()
    this.jwksFetches++
    response.setHeader('content-type', 'application/jwk-set+json')
    return void response.end(JSON.stringify(this.#jwks))
  })

  constructor(key: TestKey, defaults: Required<Pick<TestIssuerOptions, 'clock' | 'ids' | 'audience'>>) {
    this.#key = key
    this.#jwks = { keys: [key.publicJwk] }
    this.#defaults = defaults
  }

  /** The `iss` of its tokens. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get jwksUrl(): string {
    return `${this.url}${jwksPath}`
  }

  get jwks(): JSONWebKeySet {
    return this.#jwks
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  tokenFor(wish: TokenWish = {}): Promise<string> {
    return this.#signer.sign({
      typ: wish.typ ?? 'at+jwt',
      claims: claimsFor(wish, { ...this.#defaults, issuer: this.url }),
    })
  }

  /** `Bearer …`, as the Authorization header wants it. */
  async bearerFor(wish: TokenWish = {}): Promise<string> {
    return `Bearer ${await this.tokenFor(wish)}`
  }

  /** The real verifier of the platform for this issuer's tokens. */
  verifier(audience: string | readonly string[] = this.#defaults.audience): TokenVerifier {
    const keySet = localKeySet(() => this.#jwks)
    return makeTokenVerifier({ issuer: this.url, audiences: [audience].flat(), keySet, clock: this.#defaults.clock })
  }

  /** Signs with another key from here on. The old one stays in the JWKS unless it is withdrawn. */
  rotate(key: TestKey, options: { withdraw?: boolean } = {}): void {
    this.#key = key
    this.#jwks = { keys: [key.publicJwk, ...(options.withdraw === true ? [] : this.#jwks.keys)] }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

const jwksPath = '/oauth2/jwks'
