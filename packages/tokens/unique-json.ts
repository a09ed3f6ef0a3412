export type UniqueJson =
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
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    value = JSON.parse(text)
  } catch {
    return { is: 'unreadable' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { is: 'unreadable' }
  if (hasDuplicateName(text)) return { is: 'duplicate' }
  // Sound: neither null nor an array was let through, so it is an object with string names.
  return { is: 'object', value: value as Record<string, unknown> }
}

/** Only for text that `JSON.parse` accepted: then a string before a colon is a name and nothing else can be. */
function hasDuplicateName(json: string): boolean {
  const open: Set<string>[] = []
  for (const [token, name] of json.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (name !== undefined) {
      const names = open.at(-1)
      // Compared after unescaping: "r\u006fles" is "roles".
      const plain = String(JSON.parse(name))
      if (names?.has(plain) === true) return true
      names?.add(plain)
    }
  }
  return false
}
