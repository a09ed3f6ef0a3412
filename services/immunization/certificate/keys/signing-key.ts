import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, importJWK, type CryptoKey } from 'jose'
import { assert, unavailable } from '../../../../packages/faults/fault.ts'
import type { SigningKeyRow } from '../store/signing-keys.ts'
import { openPrivateKey, storedPrivateKey } from './private-key.ts'
import { signerCertificate } from './signer-certificate.ts'

/** What signs at a moment. */
export interface CertificateKey {
  readonly kid: string
  readonly privateKey: CryptoKey
  /** DER; what a signed certificate carries to name its signer. */
  readonly certificate: Buffer
}

export interface NewKey {
  readonly number: number
  readonly issuerCode: string
  readonly currentFrom: Date
  readonly secret: string | undefined
}

export async function makeSigningKey({ number, issuerCode, currentFrom, secret }: NewKey): Promise<SigningKeyRow> {
  const pair = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
  const { x, y, d } = pair.privateKey.export({ format: 'jwk' })
  assert(x !== undefined && y !== undefined && d !== undefined, 'a P-256 key has its three numbers')
  const kid = await calculateJwkThumbprint({ kty: 'EC', crv: 'P-256', x, y })
  return {
    number,
    kid,
    publicKey: { kty: 'EC', kid, use: 'sig', alg: 'ES256', crv: 'P-256', x, y },
    privateKey: storedPrivateKey(JSON.stringify({ kty: 'EC', crv: 'P-256', x, y, d }), secret),
    certificate: signerCertificate(issuerCode, pair, currentFrom),
    currentFrom,
  }
}

export async function readSigningKey(row: SigningKeyRow, secret: string | undefined): Promise<CertificateKey> {
  try {
    assert(row.privateKey !== null, 'the private half of the current key is there')
    // Sound: only makeSigningKey writes it, and importJWK checks the curve and the point.
    const jwk = JSON.parse(openPrivateKey(row.privateKey, secret)) as Record<string, string>
    const privateKey = await importJWK({ ...jwk, kty: 'EC' }, 'ES256')
    assert(!(privateKey instanceof Uint8Array), 'an EC key is never symmetric')
    return { kid: row.kid, privateKey, certificate: row.certificate }
  } catch (cause) {
    throw unavailable(
      'The key that signs certificates cannot be opened. Set immunization.certificateKeySecret to the secret that it was ' +
        'made with; if that is lost, set a new one, and `corridor certificate-keys rotate --immediately` makes a new key. ' +
        'What the old one has signed stays good.',
      { code: 'SIGNING_KEY_UNREADABLE', cause },
    )
  }
}
