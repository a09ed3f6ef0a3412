import { isBigintText, writeBigintText } from './bigint-text.ts'

/**
 * An array that the server takes in binary. Its text would be quoted and escaped here and read character by character
 * there: of a hundred resources that is more than all the rest of writing them.
 */
export class BinaryArray {
  readonly #items: readonly unknown[]
  readonly #element: Element
  readonly byteLength: number

  private constructor(items: readonly unknown[], element: Element, byteLength: number) {
    this.#items = items
    this.#element = element
    this.byteLength = byteLength
  }

  /** By the cast that follows the parameter; undefined where its text has to do. */
  static of(items: readonly unknown[], rest: string): BinaryArray | undefined {
    const cast = castPattern.exec(rest)?.[1]
    const element = cast === undefined ? undefined : elements[cast]
    const byteLength = element === undefined ? undefined : bytesOf(items, element)
    return element === undefined || byteLength === undefined ? undefined : new BinaryArray(items, element, byteLength)
  }

  /** Dimensions, whether there are nulls, the type, how many, the first index; then each with its length before it. */
  writeTo(buffer: Buffer, start: number): void {
    const items = this.#items
    const element = this.#element
    buffer.writeInt32BE(items.length === 0 ? 0 : 1, start)
    buffer.writeInt32BE(items.includes(null) ? 1 : 0, start + 4)
    buffer.writeInt32BE(element.oid, start + 8)
    if (items.length === 0) return
    buffer.writeInt32BE(items.length, start + 12)
    buffer.writeInt32BE(1, start + 16)
    let at = start + headerBytes
    for (const item of items) {
      const own = item === null ? none : element.write(item, buffer, at + lengthBytes)
      buffer.writeInt32BE(own, at)
      at += own === none ? lengthBytes : lengthBytes + own
    }
  }
}

const castPattern = /^::([a-z\d]+(?: precision)?)\[\](?!\[)/

const none = -1
const lengthBytes = 4
const emptyBytes = 12
const headerBytes = 20

function bytesOf(items: readonly unknown[], element: Element): number | undefined {
  if (items.length === 0) return emptyBytes
  let bytes = headerBytes
  for (const item of items) {
    const own = item === null ? 0 : element.bytesOf(item)
    if (own === undefined) return undefined
    bytes += lengthBytes + own
  }
  return bytes
}

/** How the elements of an array are written. */
interface Element {
  /** The server's number of the type. */
  readonly oid: number
  /** Undefined: it is not what the type is made of, and the server may know better. */
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

const double: Element = {
  oid: 701,
  bytesOf: (item) => (typeof item === 'number' ? 8 : undefined),
  write: (item, buffer, at) => buffer.writeDoubleBE(item as number, at) - at,
}

const elements: Readonly<Record<string, Element>> = {
  text: text(25),
  json: text(114),
  jsonb: {
    oid: 3_802,
    bytesOf: (item) => (typeof item === 'string' ? 1 + Buffer.byteLength(item) : undefined),
    // The number of the form comes first, and there is only one.
    write: (item, buffer, at) => 1 + buffer.write(item as string, buffer.writeUInt8(1, at)),
  },
  integer,
  int: integer,
  'double precision': double,
  float8: double,
  smallint: {
    oid: 21,
    bytesOf: (item) => (isInteger(item, 2 ** 15) ? 2 : undefined),
    write: (item, buffer, at) => buffer.writeInt16BE(item as number, at) - at,
  },
  bigint: {
    oid: 20,
    bytesOf: (item) => (isBigint(item) ? 8 : undefined),
    write(item, buffer, at) {
      if (typeof item === 'string') writeBigintText(item, buffer, at)
      else buffer.writeBigInt64BE(BigInt(item as number | bigint), at)
      return 8
    },
  },
  boolean: {
    oid: 16,
    bytesOf: (item) => (typeof item === 'boolean' ? 1 : undefined),
    write: (item, buffer, at) => buffer.writeUInt8(item === true ? 1 : 0, at) - at,
  },
  uuid: {
    oid: 2_950,
    bytesOf: (item) => (typeof item === 'string' && uuidPattern.test(item) ? 16 : undefined),
    write: (item, buffer, at) => buffer.write((item as string).replaceAll('-', ''), at, 'hex'),
  },
  timestamptz: {
    oid: 1_184,
    bytesOf: (item) => (item instanceof Date && !Number.isNaN(item.getTime()) ? 8 : undefined),
    write: (item, buffer, at) => buffer.writeBigInt64BE(microsecondsOf(item as Date), at) - at,
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

function isBigint(item: unknown): boolean {
  if (typeof item === 'string') return isBigintText(item)
  return typeof item === 'bigint' ? BigInt.asIntN(64, item) === item : isInteger(item, Number.MAX_SAFE_INTEGER)
}

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The server counts from the year 2000. */
const microsecondsOf = (date: Date): bigint => BigInt(date.getTime() - Date.UTC(2000, 0)) * 1_000n
