import { unescapeText } from './escapes.ts'
import type { Message } from './message.ts'

/** MSH-10, undefined when it says nothing. It has no components: separators that a sender wrote into it are part of the id. */
export function controlIdOf(message: Message): string | undefined {
  const raw = message.segment('MSH')?.rawField(10) ?? ''
  return raw === '' || raw === '""' ? undefined : unescapeText(raw, message)
}
