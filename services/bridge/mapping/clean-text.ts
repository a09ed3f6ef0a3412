import { controlCharacters, plainText } from '../../../packages/fhir/string.ts'
import type { Message } from '../../../packages/hl7/index.ts'
import { isNode, type Node } from './element-path.ts'

/** Whether any text of this message may hold signs that FHIR has no place for. Hardly any message does. */
export const mayHoldControls = ({ text, delimiters: { escape } }: Message): boolean =>
  controlCharacters.test(text) ||
  !text.isWellFormed() ||
  (escape !== '' && (text.includes(`${escape}X`) || text.includes(`${escape}x`)))

/** The same without control characters and half surrogates: R4 strings have none. */
export function withoutControls<Shape extends object>(value: Shape): Shape {
  // Sound: only texts inside change.
  return cleaned(value) as Shape
}

/** Without the spaces that senders fill their fields with; nothing when nothing is left. */
export const trimmed = (text: string | undefined): string | undefined => text?.trim() || undefined

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value) || '\uFFFD'
  if (Array.isArray(value)) return value.map(cleaned)
  if (!isNode(value) || 'toJSON' in value) return value
  const copy: Node = {}
  for (const [name, inner] of Object.entries(value)) copy[name] = cleaned(inner)
  return copy
}
