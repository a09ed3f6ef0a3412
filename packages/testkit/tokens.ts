import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JSONWebKeySet } from 'jose'
import { systemClock, type Clock } from '../clock/clock.ts'
import { systemIds, type Ids } from '../clock/ids.ts'
import { answers } from '../faults/answers.ts'
import type { Role } from '../tokens/caller.ts'
import { localKeySet } from '../tokens/key-set.ts'
import { makeSigner, type TokenType } from '../tokens/signer.ts'
import { makeTokenVerifier, type TokenVerifier } from '../tokens/verifier.ts'
import { makeTestKey, type TestKey } from './test-key.ts'

export interface TestIssuerOptions {
  readonly clock?: Clock
  readonly ids?: Ids
  /** Hand over a key that is there already; making one costs 400 ms. */
  readonly key?: TestKey
  /** What tokens are for unless a test says otherwise. */
  readonly audience?: string | readonly string[]
}

/** What the token should say. Everything has a value that makes a good token; a role brings its demo person along. */
export interface TokenWish {
  readonly role?: Role
  readonly roles?: readonly Role[]
  readonly subject?: string
  readonly clientId?: string
  readonly scope?: string
  readonly organisation?: string
  readonly patient?: string
  readonly encounter?: string
  readonly fhirUser?: string
  readonly audience?: string | readonly string[]
  readonly issuer?: string
  readonly tokenId?: string
  readonly grantId?: string
  /** Negative for a token that has expired. */
  readonly expiresInSeconds?: number
  readonly typ?: TokenType
  /** Claims as they are, over all of the above; undefined takes one away. */
  readonly claims?: Readonly<Record<string, unknown>>
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
    return this.#signer.sign({ typ: wish.typ ?? 'at+jwt', claims: this.#claims(wish) })
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

  #claims(wish: TokenWish): Record<string, unknown> {
    const { clock, ids, audience } = this.#defaults
    const issuedAt = Math.floor(clock.now().getTime() / 1_000)
    const { expiresInSeconds = 300, roles = wish.role === undefined ? [] : [wish.role] } = wish
    const person = people[roles[0] ?? 'CLINICIAN']
    return {
      iss: wish.issuer ?? this.url,
      aud: wish.audience ?? audience,
      sub: wish.subject ?? person.subject,
      client_id: wish.clientId ?? person.clientId,
      scope: wish.scope ?? person.scope,
      roles,
      organisation: wish.organisation ?? person.organisation,
      patient: wish.patient,
      encounter: wish.encounter,
      fhirUser: wish.fhirUser ?? person.fhirUser,
      jti: wish.tokenId ?? ids.uuid(),
      gid: wish.grantId,
      // An expired token was issued before it expired.
      iat: issuedAt + Math.min(0, expiresInSeconds - 300),
      exp: issuedAt + expiresInSeconds,
      ...wish.claims,
    }
  }
}

const jwksPath = '/oauth2/jwks'

interface Person {
  readonly subject: string
  readonly clientId: string
  readonly scope: string
  readonly organisation?: string
  readonly fhirUser?: string
}

/** The demo accounts, so that a token for a role is one that the demo would give. */
const people: Readonly<Record<Role, Person>> = {
  CLINICIAN: {
    subject: 'dr-amara',
    clientId: 'demo-app',
    scope: 'openid fhirUser user/*.cruds',
    organisation: 'Organization/central-hospital',
    fhirUser: 'Practitioner/dr-amara',
  },
  ADMIN: {
    subject: 'admin',
    clientId: 'demo-app',
    scope: 'openid fhirUser user/*.cruds',
    organisation: 'Organization/central-hospital',
    fhirUser: 'Practitioner/admin',
  },
  PATIENT: {
    subject: 'amina-diallo',
    clientId: 'demo-app',
    scope: 'openid fhirUser patient/*.rs',
    fhirUser: 'Patient/amina-diallo',
  },
  SYSTEM: { subject: 'client:svc-bridge', clientId: 'svc-bridge', scope: 'system/*.read system/*.write' },
}
