import { createHash } from 'node:crypto'
import type { Message } from '../../../packages/hl7/index.ts'

/** A control id is unique for its sender only, so MSH-3 and MSH-4 are part of the key. Undefined without MSH-10. */
export function seenKey(message: Message): Buffer | undefined {
  const controlId = message.getText('MSH-10')
  if (controlId === undefined) return undefined
  const parts = [message.get('MSH-3') ?? '', message.get('MSH-4') ?? '', controlId]
  return createHash('sha256').update(parts.join('\u0000')).digest()
}

/** Tells a message that was sent again from another one under the same control id. */
export const contentHash = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
