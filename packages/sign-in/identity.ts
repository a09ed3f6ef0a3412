import { decodeJwt, errors } from 'jose'

/**
 * The name in an identity token; undefined when it is not for this attempt. It came straight from the token endpoint, so
 * its signature proves nothing more (OpenID Connect Core 3.1.3.7, 6); rights are read from the access token alone.
 */
export function namedIn(idToken: string | undefined, nonce: string): string | undefined {
  if (idToken === undefined) return undefined
  try {
    const { sub, name, nonce: given } = decodeJwt<{ name?: unknown; nonce?: unknown }>(idToken)
    if (given !== nonce || sub === undefined) return undefined
    return typeof name === 'string' && name !== '' ? name : sub
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
