import { encodingCharacters, type Delimiters } from './delimiters.ts'
import { unescapeText } from './escapes.ts'
import type { Message } from './message.ts'

/** MSH-10, undefined when it says nothing. It has no components: separators that a sender wrote into it are part of the id. */
export function controlIdOf(message: Message): string | undefined {
  const raw = message.segment('MSH')?.rawField(10) ?? ''
  return raw === '""' || !saysSomething(raw, message.delimiters) ? undefined : unescapeText(raw, message)
}

/**
 * Blanks and separators alone are the empty field of a sender who fills fields to a width: taken for an id, all messages
 * of a day but the first would be its duplicates.
 */
function saysSomething(raw: string, delimiters: Delimiters): boolean {
  const separators = encodingCharacters(delimiters)
  for (const sign of raw) if (!separators.includes(sign) && !/[\s\p{Cc}]/u.test(sign)) return true
  return false
}
