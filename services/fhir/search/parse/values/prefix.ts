import { prefixes } from '../../../../../packages/fhir/search/modifiers.ts'
import type { Prefix } from '../../ast.ts'

const known: ReadonlySet<string> = new Set(prefixes)

/** Dates and numbers never begin with two letters, so two letters in front are a prefix. */
export function splitPrefix(text: string): { prefix: Prefix | undefined; rest: string } {
  if (!/^[a-z]{2}/.test(text)) return { prefix: 'eq', rest: text }
  const word = text.slice(0, 2)
  // Sound: the set holds the prefixes and nothing else.
  return { prefix: known.has(word) ? (word as Prefix) : undefined, rest: text.slice(2) }
}
