import { Type } from 'typebox'
import { route } from '../../../packages/http/route.ts'
import { anyone } from '../../../packages/http/who.ts'
import type { KeyStore } from '../../../packages/keys/key-store.ts'

interface KeySetDeps {
  readonly signingKeys: KeyStore
}

// The schema is an allow-list: a private member of a key has no way out, whatever the store holds.
const PublicKey = Type.Object({
  kty: Type.Literal('RSA'),
  e: Type.String(),
  n: Type.String(),
  kid: Type.String(),
  use: Type.Literal('sig'),
  alg: Type.Literal('RS256'),
})

export const keySet = route({
  method: 'GET',
  path: '/oauth2/jwks',
  who: anyone,
  summary: 'The public keys that tokens are verified with',
  tags: ['Tokens'],
  output: { 200: Type.Object({ keys: Type.Array(PublicKey) }) },
  cors: 'anyone',
  cache: 'public, max-age=300',
  run: (_input, { signingKeys }: KeySetDeps) => signingKeys.publicKeys(),
})
