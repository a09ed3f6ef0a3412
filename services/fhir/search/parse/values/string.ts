import { fold } from '../../../../../packages/fhir/fold.ts'
import type { Sought } from '../../ast.ts'
import { unescape } from '../escapes.ts'
import { refuse } from '../refuse.ts'

/** Compared without case and accents from the beginning, unless a modifier says otherwise. */
export function parseString(text: string, how: 'starts' | 'contains' | 'exact', name: string): Sought {
  const plain = unescape(text)
  if (plain.trim() === '') throw refuse(name, 'has an empty value.')
  return { kind: 'string', how, text: how === 'exact' ? plain : fold(plain) }
}
