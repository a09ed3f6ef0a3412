/** The few forms of ASN.1 DER (X.690) that a certificate needs. */
export function der(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content])
}

export const sequence = (...parts: readonly Buffer[]) => der(0x30, Buffer.concat(parts))
export const set = (...parts: readonly Buffer[]) => der(0x31, Buffer.concat(parts))
export const integer = (bytes: Buffer) => der(0x02, bytes)
export const octets = (content: Buffer) => der(0x04, content)
export const utf8 = (text: string) => der(0x0c, Buffer.from(text))
export const explicit = (number: number, content: Buffer) => der(0xa0 + number, content)

/** A bit string; the last `unused` bits of it do not count. */
export const bits = (content: Buffer, unused = 0) => der(0x03, Buffer.concat([Buffer.of(unused), content]))

/** GeneralizedTime, whose years have four digits. RFC 5280 wants the two-digit form up to 2049. */
export function time(at: Date): Buffer {
  const text = `${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`
  return at.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text))
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let left = value >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80)
  return digits
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  return length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >>> 8, length & 0xff)
}
