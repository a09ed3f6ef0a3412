import { hash } from 'node:crypto'

/** PostgreSQL refuses index entries above 2,700 bytes; 500 characters are at most 2,000. */
const charactersMax = 500
const keptCharacters = 400

/** A text that is compared as a whole: a long one keeps its beginning and ends in its hash. */
export function wholeText(text: string): string {
  return text.length <= charactersMax ? storable(text) : `${cut(text, keptCharacters)}#${hash('sha256', text)}`
}

/** A text that is looked into from its beginning: what lies behind 500 characters is not searched. */
export const beginningOf = (text: string): string => cut(text, charactersMax)

function cut(text: string, length: number): string {
  if (text.length <= length) return storable(text)
  const last = text.charCodeAt(length - 1)
  // Never between the halves of one character.
  return storable(text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length))
}

/** PostgreSQL's text has no character 0. */
const storable = (text: string) => (text.includes('\0') ? text.replaceAll('\0', '') : text)
