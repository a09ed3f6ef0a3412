import { fold } from '../../../../../packages/fhir/fold.ts'
import type { Sought } from '../../ast.ts'
import { unescape } from '../escapes.ts'
import { refuse } from '../refuse.ts'

/** Compared without case and accents from the beginning, unless a modifier says otherwise. */
export function parseString(text: string, how: 'starts' | 'contains' | 'exact', name: string): Sought {
  const plain = unescape(text)
  return { kind: 'string', how, text: filledText(how === 'exact' ? plain : fold(plain), name) }
}

/** Of an accent alone nothing is left when it is folded, and every text begins with nothing. */
export function filledText(text: string, name: string): string {
  if (text.trim() === '') throw refuse(name, 'has an empty value.')
  return text
}
