import { createPublicKey, type KeyObject } from 'node:crypto'

/** What is wrong with each key of a client's key set: one that could never check an assertion is of no use to anybody. */
export function keyFaults(keys: readonly unknown[]): string[] {
  return keys.flatMap((key, at) => {
    const why = whyUseless(key)
    return why === undefined ? [] : [`jwks: the ${nameOf(key, at)} ${why}`]
  })
}

function whyUseless(key: unknown): string | undefined {
  if (!isObject(key)) return 'is not a JWK'
  const { kty, kid } = key
  if (kty !== 'RSA' && kty !== 'EC') return 'must have kty RSA or EC'
  // Whoever registers a client need not know its private key, and our database must not.
  if (['d', 'k', 'p', 'q'].some((name) => key[name] !== undefined))
    return 'is a private key; give its public half alone'
  if (typeof kid !== 'string' || kid === '') return 'must have a kid: an assertion names its key by it'
  try {
    return whyWeak(createPublicKey({ key: { ...key }, format: 'jwk' }))
  } catch {
    return 'cannot be read as a public key'
  }
}

/** What SMART's RS384 and ES384, and the RS256 and ES256 of older clients, are signed with. */
function whyWeak({ asymmetricKeyDetails: details }: KeyObject): string | undefined {
  if (details?.modulusLength !== undefined && details.modulusLength < 2048) return 'must have 2048 bits or more'
  const { namedCurve } = details ?? {}
  return namedCurve === undefined || namedCurve === 'prime256v1' || namedCurve === 'secp384r1'
    ? undefined
    : 'must have crv P-256 or P-384'
}

const nameOf = (key: unknown, at: number): string =>
  isObject(key) && typeof key['kid'] === 'string' && key['kid'] !== ''
    ? `key ${key['kid'].slice(0, 100)}`
    : `key at place ${at + 1}`

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
