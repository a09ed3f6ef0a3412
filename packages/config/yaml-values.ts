import { isAlias, isMap, isScalar, LineCounter, parseDocument, type Document, type Node, type Pair } from 'yaml'

/** A value of the file and where it stands. */
export interface FileValue {
  readonly path: string
  readonly value: unknown
  /** The same, each part of it as the text that stands in the file: `0123`, which YAML reads as a number. */
  readonly written: unknown
  /** `corridor.yaml:3:5` */
  readonly place: string
}

type FileReading = { readonly values: readonly FileValue[] } | { readonly wrong: readonly string[] }

/** What a path of the file can be: a key, what keys stand under, or neither. */
export type Place = 'key' | 'group' | undefined

/**
 * The leaves of a YAML document. A group is a map; anything under the path of a key is one value, however deep. A map
 * that is neither and holds nothing is a leaf as well: there is nothing in it that could be found to be unknown.
 */
export function readYaml(content: string, fileName: string, placeAt: (path: string) => Place): FileReading {
  const lines = new LineCounter()
  const document = parseDocument(content, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  // In which every scalar is a text.
  const texts = parseDocument(content, { schema: 'failsafe', prettyErrors: false, logLevel: 'silent' })
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${fileName}:${line}:${col}`
  }
  if (document.errors.length > 0) {
    return { wrong: document.errors.map((error) => `${placeOf(error.pos[0])}: ${error.message}`) }
  }
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null))
    return { values: [] }
  if (!isMap(document.contents))
    return { wrong: [`${placeOf(0)}: The file must hold keys and values, such as "mode: demo".`] }

  const values: FileValue[] = []
  const wrong: string[] = []
  const visit = (pairs: readonly Pair[], written: readonly Pair[], prefix: string, above: readonly unknown[]) => {
    for (const [at, { key, value }] of pairs.entries()) {
      // Sound: parseDocument gives nodes for keys and values (null for a missing value).
      const keyNode = key as Node
      const given = value as Node | null
      const valueNode = resolved(given, document)
      // Sound as above: both are read from the same text, so that one has the pairs of the other.
      const writtenNode = resolved((written[at]?.value ?? null) as Node | null, texts)
      const path = `${prefix}${String(keyNode.toJS(document))}`
      const place = placeAt(path)
      const holdsKeys = isMap(valueNode) && place !== 'key' && (place === 'group' || valueNode.items.length > 0)
      const stands = placeOf(keyNode.range?.[0] ?? 0)
      if (above.includes(valueNode)) wrong.push(`${stands}: ${path} is an alias of what it stands in.`)
      else if (holdsKeys) visit(valueNode.items, pairsOf(writtenNode), `${path}.`, [...above, valueNode])
      else {
        try {
          const whole: unknown = valueNode?.toJS(document)
          values.push({ path, value: whole, written: writtenNode?.toJS(texts) as unknown, place: stands })
        } catch (error) {
          // Sound: it throws ReferenceErrors, for an alias of nothing and for too many of them.
          wrong.push(`${stands}: ${path}: ${(error as Error).message}`)
        }
      }
    }
  }
  visit(document.contents.items, pairsOf(texts.contents), '', [document.contents])
  return wrong.length > 0 ? { wrong } : { values }
}

/** `*name` means what `&name` stands before; where nothing does, the value itself says so. */
const resolved = (node: Node | null, document: Document): Node | null =>
  isAlias(node) ? (node.resolve(document) ?? node) : node

const pairsOf = (node: Node | null): readonly Pair[] => (isMap(node) ? node.items : [])
