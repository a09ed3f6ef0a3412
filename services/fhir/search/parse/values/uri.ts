import type { Sought } from '../../ast.ts'
import { unescape } from '../escapes.ts'
import { refuse } from '../refuse.ts'

/** Compared to the letter. `below` and `above` go by the segments of the path, so they need an address that has some. */
export function parseUri(text: string, how: 'is' | 'below' | 'above', name: string): Sought {
  const uri = unescape(text)
  if (uri === '') throw refuse(name, 'has an empty value.')
  if (how !== 'is' && !/^[a-z][a-z0-9+.-]*:\/\//i.test(uri)) {
    throw refuse(name, `needs an address such as http://example.org/fhir; :${how} has no meaning for other URIs.`)
  }
  if (how === 'above' && uri.length > charactersMax) {
    throw refuse(name, `needs an address of at most ${charactersMax} characters.`)
  }
  return { kind: 'uri', how, uri }
}

/** Every address above it is sought, and each is as long again. */
const charactersMax = 2_000
