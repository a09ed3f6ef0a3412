import { verify, type KeyObject } from 'node:crypto'
import { invalidToken } from './invalid-token.ts'
import { parseUniqueJson } from './unique-json.ts'

/** Node takes 16 KB of headers at most, so no honest token is longer. */
const tokenCharactersMax = 16_384
const kidCharactersMax = 255

/** Checks everything that can be said about a token before its signature, and tells which key should have signed it. */
export function keyIdOf(token: string): string {
  if (token.length > tokenCharactersMax) throw invalidToken('The access token is too long.')
  const parts = token.split('.')
  if (parts.length !== 3 || !parts.every(isCanonicalBase64Url)) throw notSigned()

  const header = readObject(parts[0] ?? '')
  // An allow-list of one: no algorithm is ever chosen by the token.
  if (header['alg'] !== 'RS256') throw invalidToken('The access token is not signed with RS256.')
  if (header['crit'] !== undefined || header['b64'] !== undefined) {
    throw invalidToken('The access token needs a header extension that is not supported.')
  }
  if (!isAccessTokenType(header['typ'])) throw invalidToken('The token is not an access token.')

  // jwk, jku, x5u and x5c are never looked at: a key comes from the issuer's set or not at all.
  const kid = header['kid']
  if (typeof kid !== 'string' || kid === '' || kid.length > kidCharactersMax) {
    throw invalidToken('The access token does not name its key.')
  }
  return kid
}

/**
 * Whether the key has made the signature of a token whose form was checked. On this thread: checking RS256 takes 30 µs,
 * and handing it to another thread and back takes longer than that.
 */
export function isSignedBy(key: KeyObject, token: string): boolean {
  const end = token.lastIndexOf('.')
  const signature = Buffer.from(token.slice(end + 1), 'base64url')
  return verify('RSA-SHA256', Buffer.from(token.slice(0, end)), key, signature)
}

/** The claims of a token whose signature has been verified. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  return readObject(token.split('.')[1] ?? '')
}

const notSigned = () => invalidToken('The access token is not a signed JWT.')

function readObject(part: string): Readonly<Record<string, unknown>> {
  const json = parseUniqueJson(Buffer.from(part, 'base64url'))
  if (json.is === 'object') return json.value
  throw json.is === 'duplicate' ? invalidToken('The access token has a name twice.') : notSigned()
}

/** RFC 9068 section 4: both spellings, in any case (a media type). */
function isAccessTokenType(typ: unknown): boolean {
  return typeof typ === 'string' && /^(?:application\/)?at\+jwt$/i.test(typ)
}

/** Decoders forgive stray characters and spare bits; a token has exactly one spelling here. */
function isCanonicalBase64Url(part: string): boolean {
  return part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part
}
