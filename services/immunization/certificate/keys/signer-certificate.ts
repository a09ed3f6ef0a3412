import { randomBytes, sign, type KeyObject } from 'node:crypto'
import { ecdsaWithSha256 } from '../../../../packages/keys/certificate.ts'
import { bits, context, integer, objectId, octets, sequence, set, time, utf8 } from '../../../../packages/keys/der.ts'

const yearsValid = 10

/**
 * The X.509 certificate (RFC 5280) of a signing key, signed by the key itself: it carries the public key and a name,
 * and vouches for nothing. Trust comes from the published key set.
 */
export function signerCertificate(
  issuerCode: string,
  { publicKey, privateKey }: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
  from: Date,
): Buffer {
  const name = sequence(set(sequence(objectId('2.5.4.3'), utf8(issuerCode))))
  const until = new Date(from)
  until.setUTCFullYear(until.getUTCFullYear() + yearsValid)
  const body = sequence(
    context(0, integer(Buffer.of(2))),
    // Positive and never of too few bytes, whatever chance gives.
    integer(Buffer.concat([Buffer.of(0x43), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    context(3, sequence(onlySigns)),
  )
  return sequence(body, ecdsaWithSha256, bits(sign('sha256', body, privateKey)))
}

/** Key usage, critical: digital signatures and nothing else. */
const onlySigns = sequence(objectId('2.5.29.15'), Buffer.of(0x01, 0x01, 0xff), octets(bits(Buffer.of(0x80), 7)))
