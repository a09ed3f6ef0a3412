import { BinaryArray } from './array-parameter.ts'

/** A statement on its way to the server. */
export interface Outgoing {
  /** The text of a statement that the server does not know yet. */
  readonly text: string | undefined
  /** Empty for one that nobody asks for again. */
  readonly name: string
  readonly values: readonly unknown[]
}

/**
 * Everything that carries out these statements, and one Sync behind them, as the bytes of the protocol: one piece of
 * memory and one system call, whatever their number. The driver makes four messages of a statement, each in its own
 * buffer that grows as it is filled, and nearly all that a group cost here was that.
 */
export function messagesFor(statements: readonly Outgoing[]): Buffer {
  const sized = statements.map(({ text, name, values }) => ({ text, name, parameters: values.map(parameterOf) }))
  const writer = new Writer(sized.reduce((bytes, one) => bytes + bytesOf(one), syncBytes))
  for (const { text, name, parameters } of sized) {
    if (text !== undefined) writer.parse(name, text)
    writer.bind(name, parameters)
    writer.describeAndExecute()
  }
  writer.sync()
  return writer.buffer
}

/** A value as it is sent: its length comes before it, so it has to be known first. */
type Parameter =
  | { readonly bytes: number; readonly text: string }
  | { readonly bytes: number; readonly binary: Uint8Array | BinaryArray }
  | { readonly bytes: -1 }

function parameterOf(value: unknown): Parameter {
  if (value === null) return absent
  if (value instanceof BinaryArray) return { bytes: value.byteLength, binary: value }
  if (ArrayBuffer.isView(value)) {
    const binary = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    return { bytes: binary.byteLength, binary }
  }
  const text = Array.isArray(value) ? arrayText(value) : plainText(value as Plain)
  return { bytes: Buffer.byteLength(text), text }
}

/** Sound where it is claimed: `sql` lets nothing else become a parameter. */
type Plain = string | number | bigint | boolean
const plainText = (value: Plain) => String(value)

const absent = { bytes: -1 } as const

/** An array whose type only the server knows. */
const arrayText = (items: readonly unknown[]): string => `{${items.map(elementText).join()}}`

function elementText(item: unknown): string {
  if (item === null) return 'NULL'
  if (Array.isArray(item)) return arrayText(item)
  const text = ArrayBuffer.isView(item) ? `\\x${hexOf(item)}` : plainText(item as Plain)
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

const hexOf = (view: ArrayBufferView) => Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('hex')

/** Of a message: its letter and its length. */
const headBytes = 5
const syncBytes = headBytes
const describeAndExecuteBytes = headBytes + 2 + headBytes + 5

function bytesOf({ text, name, parameters }: Pick<Outgoing, 'text' | 'name'> & { parameters: readonly Parameter[] }) {
  const nameBytes = Buffer.byteLength(name) + 1
  const parse = text === undefined ? 0 : headBytes + nameBytes + Buffer.byteLength(text) + 1 + 2
  const values = parameters.reduce((bytes, one) => bytes + 2 + 4 + Math.max(one.bytes, 0), 0)
  return parse + headBytes + 1 + nameBytes + 2 + 2 + values + 4 + describeAndExecuteBytes
}

/** Messages one behind the other in a buffer that holds them exactly. */
class Writer {
  readonly buffer: Buffer
  #at = 0

  constructor(bytes: number) {
    this.buffer = Buffer.allocUnsafe(bytes)
  }

  parse(name: string, text: string): void {
    this.#message('P', () => {
      this.#text(name)
      this.#text(text)
      this.#int16(0) // the server finds out the types
    })
  }

  /** To the portal without a name; what comes back is text. */
  bind(name: string, parameters: readonly Parameter[]): void {
    this.#message('B', () => {
      this.#text('')
      this.#text(name)
      this.#int16(parameters.length)
      for (const one of parameters) this.#int16('binary' in one ? 1 : 0)
      this.#int16(parameters.length)
      for (const one of parameters) this.#parameter(one)
      this.#int16(1)
      this.#int16(0)
    })
  }

  describeAndExecute(): void {
    this.#message('D', () => this.#text('P'))
    this.#message('E', () => {
      this.#text('')
      this.#int32(0) // all rows
    })
  }

  sync(): void {
    this.#message('S', () => {})
  }

  #message(letter: string, body: () => void): void {
    this.buffer[this.#at] = letter.charCodeAt(0)
    const start = this.#at + 1
    this.#at = start + 4
    body()
    this.buffer.writeInt32BE(this.#at - start, start)
  }

  #parameter(one: Parameter): void {
    this.#int32(one.bytes)
    if ('text' in one) this.buffer.write(one.text, this.#at)
    else if ('binary' in one) this.#binary(one.binary)
    this.#at += Math.max(one.bytes, 0)
  }

  #binary(binary: Uint8Array | BinaryArray): void {
    if (binary instanceof BinaryArray) binary.writeTo(this.buffer, this.#at)
    else this.buffer.set(binary, this.#at)
  }

  /** A zero ends it. */
  #text(text: string): void {
    this.#at += this.buffer.write(text, this.#at)
    this.buffer[this.#at++] = 0
  }

  #int16(value: number): void {
    this.#at = this.buffer.writeUInt16BE(value, this.#at)
  }

  #int32(value: number): void {
    this.#at = this.buffer.writeInt32BE(value, this.#at)
  }
}
