import { der } from '../../../../packages/keys/der.ts'

// What a certificate of a document signer needs of ASN.1 DER (X.690) beyond what one for TLS does.

export const integer = (bytes: Buffer) => der(0x02, bytes)
export const utf8 = (text: string) => der(0x0c, Buffer.from(text))

/** A bit string; the last `unused` bits of it do not count. */
export const bits = (content: Buffer, unused = 0) => der(0x03, Buffer.concat([Buffer.of(unused), content]))

/** GeneralizedTime, whose years have four digits. RFC 5280 wants the two-digit form up to 2049. */
export function time(at: Date): Buffer {
  const text = `${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`
  return at.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text))
}
