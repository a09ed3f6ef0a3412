import { count } from './numbers.ts'

/**
 * What is wrong with the length of a text, if anything. Fields in which people write have no `maxlength`: a browser cuts what
 * is pasted without a word, and the end of a note may be what it was written for.
 */
export function tooLong(text: string, charactersMax: number, which = 'This'): string | undefined {
  // As the API counts.
  const { length } = Array.from(text.trim())
  if (length <= charactersMax) return undefined
  return `${which} may have at most ${count(charactersMax)} characters, and has ${count(length)}.`
}
