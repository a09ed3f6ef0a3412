import { tryParseMessage, utf8, type Message } from '../../../../packages/hl7/index.ts'

const shownBytesMax = 8_000

/** An answer as its sender reads it: it was written in the character set of the message. */
export function answerText(answer: Uint8Array, message: Message | undefined): string {
  const { charset = utf8 } = message ?? tryParseMessage(answer).message ?? {}
  return charset.decode(answer.subarray(0, shownBytesMax))
}
