/**
 * An array as the server takes it in binary, by the cast that follows the parameter; undefined where its text has to do.
 * The text of an array is quoted and escaped here and read character by character there: of a hundred resources that is
 * more than all the rest of writing them.
 */
export function binaryArray(items: readonly unknown[], rest: string): Buffer | undefined {
  const cast = castPattern.exec(rest)?.[1]
  const element = cast === undefined ? undefined : elements[cast]
  return element === undefined ? undefined : encoded(items, element)
}

const castPattern = /^::([a-z]+)\[\](?!\[)/

/** How the elements of an array are written. */
interface Element {
  /** The server's number of the type. */
  readonly oid: number
  /** Undefined: it is not what the type is made of, and the driver may know better. */
  bytesOf(item: unknown): number | undefined
  /** Gives how many bytes it wrote. */
  write(item: unknown, buffer: Buffer, at: number): number
}

const text = (oid: number): Element => ({
  oid,
  bytesOf: (item) => (typeof item === 'string' ? Buffer.byteLength(item) : undefined),
  write: (item, buffer, at) => buffer.write(item as string, at),
})

const integer: Element = {
  oid: 23,
  bytesOf: (item) => (isInteger(item, 2 ** 31) ? 4 : undefined),
  write: (item, buffer, at) => buffer.writeInt32BE(item as number, at) - at,
}

const elements: Readonly<Record<string, Element>> = {
  text: text(25),
  json: text(114),
  integer,
  int: integer,
  bigint: {
    oid: 20,
    bytesOf: (item) => (isInteger(item, Number.MAX_SAFE_INTEGER) || isBigint(item) ? 8 : undefined),
    write: (item, buffer, at) => buffer.writeBigInt64BE(BigInt(item as string | number), at) - at,
  },
  bytea: {
    oid: 17,
    bytesOf: (item) => (item instanceof Uint8Array ? item.byteLength : undefined),
    write(item, buffer, at) {
      const bytes = item as Uint8Array
      buffer.set(bytes, at)
      return bytes.byteLength
    },
  },
}

const isInteger = (item: unknown, limit: number) =>
  typeof item === 'number' && Number.isInteger(item) && item >= -limit && item < limit

/** As the server prints them; what is out of range it refuses in its own words. */
function isBigint(item: unknown): boolean {
  if (typeof item !== 'string' || !/^-?\d{1,19}$/.test(item)) return false
  const digits = item.startsWith('-') ? item.slice(1) : item
  return digits.length < greatest.length || digits <= greatest
}

const greatest = '9223372036854775807'

/** Dimensions, whether there are nulls, the type, how many, the first index; then each with its length before it. */
function encoded(items: readonly unknown[], element: Element): Buffer | undefined {
  let bytes = headerBytes
  for (const item of items) {
    const own = item === null ? 0 : element.bytesOf(item)
    if (own === undefined) return undefined
    bytes += lengthBytes + own
  }
  const buffer = Buffer.allocUnsafe(items.length === 0 ? emptyBytes : bytes)
  buffer.writeInt32BE(items.length === 0 ? 0 : 1, 0)
  buffer.writeInt32BE(items.includes(null) ? 1 : 0, 4)
  buffer.writeInt32BE(element.oid, 8)
  if (items.length === 0) return buffer
  buffer.writeInt32BE(items.length, 12)
  buffer.writeInt32BE(1, 16)
  let at = headerBytes
  for (const item of items) {
    const start = at + lengthBytes
    const own = item === null ? none : element.write(item, buffer, start)
    buffer.writeInt32BE(own, at)
    at = own === none ? start : start + own
  }
  return buffer
}

const none = -1
const lengthBytes = 4
const emptyBytes = 12
const headerBytes = 20
