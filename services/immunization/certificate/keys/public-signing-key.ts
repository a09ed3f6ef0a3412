/** A member of the public key set, as health-card readers want it: kid is the thumbprint, and nothing private. */
export interface PublicSigningKey {
  readonly kty: 'EC'
  readonly kid: string
  readonly use: 'sig'
  readonly alg: 'ES256'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
}
