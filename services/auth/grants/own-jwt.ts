import type { KeyObject } from 'node:crypto'
import type { KeyStore, PublicKeys } from '../../../packages/keys/key-store.ts'
import { isSignedBy } from '../../../packages/tokens/compact.ts'
import { headerOf, type TokenType } from '../../../packages/tokens/signer.ts'
import { usableKeys } from '../../../packages/tokens/usable-keys.ts'

type OwnClaims = Readonly<Record<string, unknown>>

/**
 * Reads a token of one type that this server has signed; anything else is undefined. Its end is not looked at here. Only we
 * make them, so nothing of one has to be understood before its signature is known to be ours: its header is what we
 * write, letter by letter, or it is not ours.
 */
export function ownTokenReader(
  typ: TokenType,
  signingKeys: Pick<KeyStore, 'publicKeys'>,
): (token: string) => OwnClaims | undefined {
  const keyUnder = keysByHeader(typ, signingKeys)
  return (token) => {
    const [header, payload = '', signature = '', ...more] = token.split('.')
    const key = keyUnder(header)
    if (key === undefined || more.length > 0 || !isCanonical(signature) || !isSignedBy(key, token)) return undefined
    // Sound: we have signed it, and we sign objects.
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as OwnClaims
  }
}

/** By the header that each writes over tokens of this type; made anew when the keys change. */
function keysByHeader(
  typ: TokenType,
  signingKeys: Pick<KeyStore, 'publicKeys'>,
): (header: string | undefined) => KeyObject | undefined {
  let source: PublicKeys | undefined
  let keys: ReadonlyMap<string | undefined, KeyObject> = new Map()
  return (header) => {
    const latest = signingKeys.publicKeys()
    if (latest !== source) {
      keys = new Map([...usableKeys(latest)].map(([kid, key]) => [headerOf(typ, { kid }), key]))
      source = latest
    }
    return keys.get(header)
  }
}

/** A decoder forgives stray characters; a token has exactly one spelling. */
const isCanonical = (signature: string) => Buffer.from(signature, 'base64url').toString('base64url') === signature
