import { createHash } from 'node:crypto'
import { controlIdOf, type Message } from '../../../packages/hl7/index.ts'
import { isKnownQuery } from '../mapping/families/qbp/read-query.ts'

/**
 * A control id is unique for its sender only, so MSH-3 and MSH-4 are part of the key. Each counts as it was written, to its
 * last component: who is told apart by an OID alone, or writes a separator into MSH-10, must not be taken for another.
 * Undefined without MSH-10.
 *
 * Of a query its content is part of the key too: the answer to another one tells of patients that were not asked for.
 */
export function seenKey(message: Message, content: Buffer): Buffer | undefined {
  if (controlIdOf(message) === undefined) return undefined
  const header = message.segment('MSH')
  const parts = [3, 4, 10].map((field) => header?.rawField(field) ?? '')
  const hash = createHash('sha256').update(parts.join('\u0000'))
  return (isKnownQuery(message) ? hash.update('\u0000').update(content) : hash).digest()
}

/** Tells a message that was sent again from another one under the same control id. */
export const contentHash = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
