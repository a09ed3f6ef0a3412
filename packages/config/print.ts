import { Document, isPair, isScalar, visit } from 'yaml'
import type { Loaded } from './load.ts'
import { keysOf, type Schema } from './schema.ts'

/** The effective configuration as YAML, secrets that are set as `***`, each value with the place it comes from. */
export function printConfiguration<S extends Schema>(schema: S, loaded: Loaded<S>): string {
  const keys = new Map(keysOf(schema).map((named) => [named.path, named]))
  const shown = masked(loaded.configuration, '', (path) => keys.get(path)?.key.secret === true)
  // A value that follows from another is written out, not referred to.
  const document = new Document(shown, { aliasDuplicateObjects: false })
  visit(document, {
    Pair(_, pair, ancestors) {
      const path = [...ancestors, pair]
        .filter(isPair)
        .map(({ key }) => (isScalar(key) ? String(key.value) : ''))
        .join('.')
      if (!keys.has(path)) return undefined
      const source = loaded.sourceOf(path)
      const noted = isScalar(pair.value) ? pair.value : isScalar(pair.key) ? pair.key : undefined
      if (noted !== undefined && source !== 'default') noted.comment = ` ${source}`
      return visit.SKIP
    },
  })
  return document.toString({ lineWidth: 0 })
}

function masked(node: unknown, path: string, isSecret: (path: string) => boolean): unknown {
  if (isSecret(path)) return maskedSecret(node)
  if (typeof node === 'string') return withoutQuery(node)
  if (Array.isArray(node)) return node.map((item: unknown) => (typeof item === 'string' ? withoutQuery(item) : item))
  if (typeof node !== 'object' || node === null) return node ?? null
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [
      name,
      masked(value, path === '' ? name : `${path}.${name}`, isSecret),
    ]),
  )
}

/** What gateways are told behind a question mark is a key of theirs, mostly. */
const withoutQuery = (text: string): string => text.replace(/^(https?:\/\/[^?]*\?).+$/s, '$1***')

/** A secret that nobody has set must not look like one that is: it is often why something does not work. */
function maskedSecret(secret: unknown): unknown {
  if (secret === undefined || secret === '') return null
  return Array.isArray(secret) && secret.length === 0 ? secret : '***'
}
