/**
 * R4 section 3.1.1.4.0.1: `,` separates alternatives, `|` the parts of a token and `$` the parts of a composite; a
 * backslash before one of them, or before another backslash, makes it an ordinary character.
 */
type Separator = ',' | '|' | '$'

/** Splits at unescaped separators. The parts keep their escapes, for the next split and at last for `unescape`. */
export function splitAt(text: string, separator: Separator): string[] {
  if (!text.includes(separator)) return [text]
  const parts: string[] = []
  let start = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '\\') index++
    else if (character === separator) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

/** A backslash before anything else stays: people write paths and HL7 escapes. */
export function unescape(text: string): string {
  return text.includes('\\') ? text.replace(/\\([\\,|$])/g, '$1') : text
}

export function escape(text: string): string {
  return text.replace(/[\\,|$]/g, '\\$&')
}
