import type { Pair } from '../ast.ts'
import { refuse } from './refuse.ts'

/** The pairs of a query or a form body (`a=b&c=d`), in their order; `+` is a space, as in every form. */
export function pairsOf(text: string): Pair[] {
  const query = text.startsWith('?') ? text.slice(1) : text
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=')
      const name = decode(at === -1 ? part : part.slice(0, at), part)
      return [name, at === -1 ? '' : decode(part.slice(at + 1), name)] as const
    })
}

/** The counterpart of pairsOf. The characters that FHIR writes most stay readable. */
export function queryText(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
}

function decode(text: string, name: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw refuse(name, 'is not well encoded: a % must be followed by the two digits of a byte of UTF-8.')
  }
}

const encode = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replace(/%(?:3A|2F|2C|24|7C)/g, decodeURIComponent)
