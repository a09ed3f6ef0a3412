import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import type { Ids } from '../../../../packages/clock/ids.ts'
import { incorrect } from '../../../../packages/faults/fault.ts'
import { edit, Framer, splitBatch, startBlock, tryParseMessage, type Parsed } from '../../../../packages/hl7/index.ts'
import { readNamedFile } from '../read-file.ts'

/** A message of a file, and how to name it in what is said of it. */
export interface FileMessage {
  /** `adt.hl7`, or `adt.hl7 (2 of 5)`. */
  readonly name: string
  readonly bytes: Uint8Array
  readonly parsed: Parsed
}

/**
 * The messages of files, in order: one or many a file, framed as on the wire, or in a batch. `-` is standard input.
 * @param onLeftOut is told where a file has more than is read: beside whole frames messages that were cut, or have none
 */
export async function readMessages(
  files: readonly string[],
  input: Readable,
  onLeftOut: (sentence: string) => void,
): Promise<FileMessage[]> {
  const messages: FileMessage[] = []
  for (const file of files) {
    for (const message of messagesOf(file, await bytesOf(file, input), onLeftOut)) messages.push(message)
  }
  return messages
}

/** Under a control id that nobody has used; nothing else changes. What cannot be read has none that could be changed. */
export function withNewId(message: FileMessage, ids: Ids): FileMessage {
  if (message.parsed.message === undefined) return message
  const { bytes } = edit(message.parsed.message).set('MSH-10', ids.secret(controlIdBytes)).message()
  return { ...message, bytes, parsed: tryParseMessage(bytes) }
}

/** Twenty signs: what every version allows in MSH-10. */
const controlIdBytes = 15

const bytesOf = (file: string, input: Readable): Promise<Uint8Array> =>
  file === '-' ? buffer(input) : readNamedFile(file)

function messagesOf(file: string, bytes: Uint8Array, onLeftOut: (sentence: string) => void): FileMessage[] {
  const shown = file === '-' ? 'standard input' : file
  const { frames, hasMore } = framesOf(bytes)
  if (hasMore) {
    onLeftOut(
      `Part of ${shown} is left out: messages that are in no whole frame, as its others are (0x0B before, 0x1C behind). ` +
        'They were cut, or come from elsewhere.',
    )
  }
  const found = frames.flatMap((frame) => [...splitBatch(frame).messages])
  const said = found.filter((message) => message.some((byte) => byte > space))
  if (said.length === 0) throw incorrect(`There is no HL7 message in ${shown}: none begins with MSH.`)
  return said.map((message, index) => ({
    name: said.length === 1 ? shown : `${shown} (${index + 1} of ${said.length})`,
    bytes: message,
    parsed: tryParseMessage(message),
  }))
}

/** A recording of a wire has frames; a plain file is one. */
function framesOf(bytes: Uint8Array): { readonly frames: readonly Uint8Array[]; readonly hasMore: boolean } {
  if (!bytes.includes(startBlock)) return { frames: [bytes], hasMore: false }
  const framer = new Framer({ frameBytesMax: bytes.length + 1 })
  const events = [...framer.push(Buffer.from(bytes)), ...framer.end()]
  const frames = events.flatMap((event) => (event.kind === 'frame' ? [event.bytes] : []))
  const hasMore = events.some((event) => event.kind !== 'frame' && event.head.includes('MSH'))
  return frames.length === 0 ? { frames: [bytes], hasMore: false } : { frames, hasMore }
}

const space = 0x20
