import type { PublicSigningKey } from '../keys/public-signing-key.ts'
import { makeSigningKey, readSigningKey, type CertificateKey } from '../keys/signing-key.ts'

export interface TestSigningKey extends CertificateKey {
  readonly publicKey: PublicSigningKey
}

/** A key as the store would make it, without a store. */
export async function testSigningKey(): Promise<TestSigningKey> {
  const made = { number: 1, issuerCode: 'CORRIDOR', currentFrom: new Date('2026-01-01T00:00:00Z'), secret: undefined }
  const row = await makeSigningKey(made)
  return { ...(await readSigningKey(row, undefined)), publicKey: row.publicKey }
}
