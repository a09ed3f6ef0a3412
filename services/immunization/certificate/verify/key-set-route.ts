import { Type } from 'typebox'
import { list, object } from '../../../../packages/http/fields.ts'
import { routeFor } from '../../../../packages/http/route.ts'
import { anyone } from '../../../../packages/http/who.ts'
import type { CertificateKeys } from '../keys.ts'

const keySetRoute = routeFor<{ readonly certificateKeys: Pick<CertificateKeys, 'publicKeys'> }>()

/** Where readers of health cards look for the keys, and our page where it does not know one. */
export const certificateKeySet = keySetRoute({
  method: 'GET',
  path: '/.well-known/jwks.json',
  who: anyone,
  summary: 'The public keys that health cards and signed certificates are checked with',
  tags: ['Certificate'],
  cors: 'anyone',
  cache: 'public, max-age=300',
  output: {
    200: object({
      keys: list(
        object({
          kty: Type.String(),
          crv: Type.String(),
          x: Type.String(),
          y: Type.String(),
          kid: Type.String(),
          use: Type.String(),
          alg: Type.String(),
        }),
      ),
    }),
  },
  run: (_input, { certificateKeys }) => certificateKeys.publicKeys(),
})
