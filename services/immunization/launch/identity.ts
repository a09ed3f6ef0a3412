import { decodeProtectedHeader, errors, jwtVerify } from 'jose'
import type { Clock } from '../../../packages/clock/clock.ts'
import type { Issuer } from './issuer-directory.ts'

/** Who launched the app. */
export interface Identity {
  readonly subject: string
  /** `Practitioner/dr-amara`, without the server's address. */
  readonly fhirUser: string | null
  readonly name: string | null
}

/** The person that an identity token names; undefined where the token proves nobody (OpenID Connect Core 3.1.3.7). */
export async function identityOf(
  idToken: string,
  { identity }: Pick<Issuer, 'identity'>,
  expected: { readonly clientId: string; readonly nonce: string },
  { clock }: { readonly clock: Clock },
): Promise<Identity | undefined> {
  const kid = keyIdOf(idToken)
  if (identity === undefined || kid === undefined) return undefined
  const key = await identity.keySet.find(kid)
  if (key === undefined) return undefined
  try {
    const { payload } = await jwtVerify(idToken, key, {
      algorithms: ['RS256'],
      issuer: identity.issuer,
      audience: expected.clientId,
      requiredClaims: ['sub', 'exp', 'iat'],
      currentDate: clock.now(),
      clockTolerance: 60,
    })
    if (payload['nonce'] !== expected.nonce || payload.sub === undefined) return undefined
    const fhirUser = payload['fhirUser']
    const name = payload['name']
    return {
      subject: payload.sub,
      fhirUser:
        typeof fhirUser === 'string' ? (/[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/.exec(fhirUser)?.[0] ?? null) : null,
      name: typeof name === 'string' && name !== '' ? name : null,
    }
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

function keyIdOf(idToken: string): string | undefined {
  try {
    return decodeProtectedHeader(idToken).kid
  } catch {
    return undefined
  }
}
