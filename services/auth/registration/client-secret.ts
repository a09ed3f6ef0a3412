import { incorrect } from '../../../packages/faults/fault.ts'
import type { Client } from '../store/clients.ts'
import { digestOf, sameDigest } from '../secrets/digest.ts'

/** What is shorter could be guessed from its digest. */
export const secretCharactersMin = 32

/** A client secret as it is kept; only the demo may have a short one. */
export function secretHashOf(
  secret: string,
  for_: { readonly mode: 'demo' | 'production'; readonly clientId: string },
) {
  if (for_.mode === 'production' && secret.length < secretCharactersMin) {
    throw incorrect(
      `The secret of the client ${for_.clientId} is too short: at least ${secretCharactersMin} characters of chance, as \`corridor clients secret\` makes them.`,
      { code: 'REGISTRATION_REFUSED' },
    )
  }
  return `sha256:${digestOf(secret)}`
}

/** Whether this is the client's secret, or the one before it while that still serves. */
export function isSecretOf(client: Client, secret: string, now: Date): boolean {
  const given = `sha256:${digestOf(secret)}`
  const isCurrent = client.secretHash !== null && sameDigest(client.secretHash, given)
  const isRetiring =
    client.retiringSecretHash !== null &&
    client.retiringUntil !== null &&
    client.retiringUntil > now &&
    sameDigest(client.retiringSecretHash, given)
  return isCurrent || isRetiring
}
