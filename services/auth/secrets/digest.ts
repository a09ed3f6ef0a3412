import { hash, timingSafeEqual } from 'node:crypto'

/**
 * What is stored in place of an unguessable secret. A plain digest is enough for 256 bits of chance: there is nothing
 * to guess, and a slow hash would only make the token endpoint slow.
 */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** Compares digests, so that the time tells nothing about the secret. */
export function sameSecret(some: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', some, 'buffer'), hash('sha256', other, 'buffer'))
}

/** The same for what are digests already: their length is no secret. */
export function sameDigest(some: string, other: string): boolean {
  return some.length === other.length && timingSafeEqual(Buffer.from(some), Buffer.from(other))
}
