import { incorrect } from '../../../packages/faults/fault.ts'
import { refusal, type Asked, type Refusal } from './asked.ts'
import { isChallenge } from './code-challenge.ts'

/** PKCE with S256 is for everyone. A missing challenge is `invalid_client` in the specification's own words. */
export function checkCodeChallenge({ parameters }: Asked): Refusal | undefined {
  const { code_challenge: challenge, code_challenge_method: method } = parameters
  if (challenge === undefined) {
    throw incorrect('PKCE is required: send code_challenge with code_challenge_method S256.', {
      code: 'invalid_client',
    })
  }
  if (method === undefined) throw incorrect('code_challenge_method is required.', { code: 'invalid_request' })
  if (method !== 'S256') return refusal('invalid_request', 'code_challenge_method must be S256.')
  return isChallenge(challenge)
    ? undefined
    : refusal('invalid_request', 'code_challenge must be the SHA-256 of the verifier, 43 characters of base64url.')
}
