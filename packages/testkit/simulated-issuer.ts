import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, importPKCS8 } from 'jose'
import type { SimulatedClock } from '../clock/simulated-clock.ts'
import type { JsonWebKeys } from '../tokens/key-set.ts'
import { makeSigner, type Signer, type TokenType } from '../tokens/signer.ts'

/** An issuer for tests: one key, claims that a verifier of `audience` accepts, and what to change about them. */
export interface TestIssuer {
  readonly issuer: string
  readonly audience: string
  readonly kid: string
  readonly privateKey: KeyObject
  readonly jwks: JsonWebKeys
  claims(changes?: Readonly<Record<string, unknown>>): Record<string, unknown>
  token(changes?: Readonly<Record<string, unknown>>, typ?: TokenType): Promise<string>
}

export async function makeTestIssuer(clock: SimulatedClock): Promise<TestIssuer> {
  const issuer = 'https://auth.example'
  const audience = 'https://fhir.example/fhir'
  const privateKey = await makeRsaKey()
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' })
  const kid = await calculateJwkThumbprint(privateKey)
  const signer: Signer = makeSigner({
    kid,
    privateKey: await importPKCS8(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 'RS256', {
      extractable: true,
    }),
  })
  const claims = (changes: Readonly<Record<string, unknown>> = {}) => {
    const now = Math.floor(clock.now().getTime() / 1000)
    return {
      iss: issuer,
      aud: audience,
      sub: 'dr-amara',
      client_id: 'demo-app',
      jti: 'token-1',
      iat: now,
      exp: now + 3_600,
      scope: 'openid patient/*.rs',
      roles: ['CLINICIAN'],
      ...changes,
    }
  }
  return {
    issuer,
    audience,
    kid,
    privateKey,
    jwks: { keys: [{ ...jwk, kid, use: 'sig', alg: 'RS256' }] },
    claims,
    token: (changes, typ = 'at+jwt') => signer.sign({ typ, claims: claims(changes) }),
  }
}

export async function makeRsaKey(modulusLength = 2048): Promise<KeyObject> {
  return (await promisify(generateKeyPair)('rsa', { modulusLength })).privateKey
}
