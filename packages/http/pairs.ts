import { isUtf8 } from 'node:buffer'
import { invalid } from '../faults/fault.ts'

/** What a query or a form says, by name. A name that occurs more than once has all its values. */
export type Pairs = Readonly<Record<string, string | readonly string[]>>

/** So many wrong fields are named in one answer; nobody reads more, and a request may have any number. */
export const shownFieldsMax = 100

export function collectPairs(pairs: Iterable<[string, string]>): Pairs {
  // Without a prototype: a parameter may be called `constructor` without becoming anything.
  const collected = Object.create(null) as Record<string, string | string[]>
  for (const [name, value] of pairs) {
    const known = collected[name]
    if (known === undefined) collected[name] = value
    else if (Array.isArray(known)) known.push(value)
    else collected[name] = [known, value]
  }
  return collected
}

/** Refuses percent signs that stand for no text: they would be read as another one, and given back as that. */
export function checkEncoding(encoded: string): void {
  if (isWellEncoded(encoded)) return
  const wrong = encoded.split('&').filter((pair) => !isWellEncoded(pair))
  const shown = wrong.slice(0, shownFieldsMax)
  throw invalid(...shown.map((pair) => ({ path: pair.split('=', 1)[0] ?? '', message: 'is not well encoded' })))
}

/** Escapes of plain ASCII cannot be wrong. What stands there unescaped was read as text already. */
function isWellEncoded(text: string): boolean {
  if (!/%[89a-f]/i.test(text) || isDecodable(text)) return true
  const escapes = text.replaceAll(/[\u0080-\uffff]/g, ' ')
  const bytes = escapes.replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return isUtf8(Buffer.from(bytes, 'latin1'))
}

/** What the engine decodes is well encoded. It refuses a stray percent sign as well, but needs a fortieth of the time. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
