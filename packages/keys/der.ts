/** The few forms of ASN.1 DER (X.690) that a certificate needs. */
export function der(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag), lengthOf(content), content])
}

export const sequence = (...parts: readonly Buffer[]) => der(0x30, Buffer.concat(parts))
export const set = (...parts: readonly Buffer[]) => der(0x31, Buffer.concat(parts))
export const context = (number: number, content: Buffer) => der(0xa0 + number, content)
export const octets = (content: Buffer) => der(0x04, content)
export const integer = (bytes: Buffer) => der(0x02, bytes)
export const utf8 = (text: string) => der(0x0c, Buffer.from(text))

/** A bit string; the last `unused` bits of it do not count. */
export const bits = (content: Buffer, unused = 0) => der(0x03, Buffer.concat([Buffer.of(unused), content]))

/** RFC 5280 section 4.1.2.5: UTCTime, whose years have two digits, from 1950 to 2049, and GeneralizedTime beyond. */
export function time(at: Date): Buffer {
  const text = `${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`
  const year = at.getUTCFullYear()
  return year >= 1950 && year < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text))
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

function lengthOf(content: Buffer): Buffer {
  if (content.length < 0x80) return Buffer.of(content.length)
  const bytes: number[] = []
  for (let left = content.length; left > 0; left >>>= 8) bytes.unshift(left & 0xff)
  return Buffer.of(0x80 | bytes.length, ...bytes)
}
