type UniqueJson =
  | { readonly is: 'object'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly is: 'duplicate' | 'unreadable' }

/**
 * Reads a JSON object in UTF-8 and notices a name that stands twice in one object, at any depth. `JSON.parse` keeps the
 * last of them, other readers the first, so such a text means different things to different programs.
 */
export function parseUniqueJson(bytes: Uint8Array): UniqueJson {
  let text: string
  let value: unknown
  try {
    text = utf8.decode(bytes)
    value = JSON.parse(text)
  } catch {
    return { is: 'unreadable' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { is: 'unreadable' }
  // Of names that are the same `JSON.parse` keeps one, however they are escaped, so there are fewer than were written.
  if (namesWritten(text) !== namesKept(value)) return { is: 'duplicate' }
  // Sound: neither null nor an array was let through, so it is an object with string names.
  return { is: 'object', value: value as Record<string, unknown> }
}

/** It keeps nothing from one text to the next; making one costs more than reading a token with it. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Only for text that `JSON.parse` accepted: then a string before a colon is a name and nothing else can be. */
function namesWritten(json: string): number {
  // Every string is taken whole, or the end of one and the beginning of the next would look like another.
  const strings = json.match(/"(?:[^"\\]|\\.)*"(?:\s*:)?/g) ?? []
  return strings.reduce((count, text) => (text.endsWith(':') ? count + 1 : count), 0)
}

/** In a loop: a text can be deeper than the stack. */
function namesKept(value: object): number {
  let count = 0
  const unseen: object[] = [value]
  for (let one = unseen.pop(); one !== undefined; one = unseen.pop()) {
    const values: unknown[] = Object.values(one)
    if (!Array.isArray(one)) count += values.length
    for (const inside of values) if (typeof inside === 'object' && inside !== null) unseen.push(inside)
  }
  return count
}
