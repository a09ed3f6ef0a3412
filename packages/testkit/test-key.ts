import { exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose'

/** An RSA key of an issuer: the private half to sign with, the public one as it stands in the JWKS. */
export interface TestKey {
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicJwk: JWK
}

/** Takes some 400 ms of a core: make one for a test file and hand it to everyone who needs it. */
export async function makeTestKey(kid = 'test-key'): Promise<TestKey> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true })
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } }
}
