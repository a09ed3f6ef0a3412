import { errors } from 'jose'

/**
 * What is wrong with an assertion that could not be verified. The signature is looked at before the claims, so what is
 * said of those is said to whoever has the client's key.
 */
export function assertionFault(error: unknown, { audience, now }: { readonly audience: string; readonly now: Date }) {
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'is not signed with the key that it names'
  if (error instanceof errors.JWTExpired) return `has expired: here it is ${now.toISOString()}`
  if (!(error instanceof errors.JWTClaimValidationFailed))
    return 'cannot be verified: check that its alg is one for its key'
  const { claim, reason } = error
  if (claim === 'aud') return `must have the aud ${audience}`
  if (claim === 'nbf' && reason === 'check_failed') return `is not valid yet: here it is ${now.toISOString()}`
  return reason === 'missing' ? `must have the claim ${claim}` : `has a claim ${claim} that cannot be read`
}
