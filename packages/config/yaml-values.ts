import { isAlias, isMap, isScalar, LineCounter, parseDocument, type Node, type Pair } from 'yaml'

/** A value of the file and where it stands. */
export interface FileValue {
  readonly path: string
  readonly value: unknown
  /** `corridor.yaml:3:5` */
  readonly place: string
}

export type FileReading = { readonly values: readonly FileValue[] } | { readonly wrong: readonly string[] }

/** What a path of the file can be: a key, what keys stand under, or neither. */
export type Place = 'key' | 'group' | undefined

/**
 * The leaves of a YAML document. A group is a map; anything under the path of a key is one value, however deep. A map
 * that is neither and holds nothing is a leaf as well: there is nothing in it that could be found to be unknown.
 */
export function readYaml(content: string, fileName: string, placeAt: (path: string) => Place): FileReading {
  const lines = new LineCounter()
  const document = parseDocument(content, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
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
  const visit = (pairs: readonly Pair[], prefix: string, above: readonly unknown[]) => {
    for (const { key, value } of pairs) {
      // Sound: parseDocument gives nodes for keys and values (null for a missing value).
      const keyNode = key as Node
      const given = value as Node | null
      // `*name` means what `&name` stands before; where nothing does, the value itself says so below.
      const valueNode = isAlias(given) ? (given.resolve(document) ?? given) : given
      const path = `${prefix}${String(keyNode.toJS(document))}`
      const place = placeAt(path)
      const holdsKeys = isMap(valueNode) && place !== 'key' && (place === 'group' || valueNode.items.length > 0)
      const at = placeOf(keyNode.range?.[0] ?? 0)
      if (above.includes(valueNode)) wrong.push(`${at}: ${path} is an alias of what it stands in.`)
      else if (holdsKeys) visit(valueNode.items, `${path}.`, [...above, valueNode])
      else {
        try {
          values.push({ path, value: valueNode?.toJS(document) as unknown, place: at })
        } catch (error) {
          // Sound: it throws ReferenceErrors, for an alias of nothing and for too many of them.
          wrong.push(`${at}: ${path}: ${(error as Error).message}`)
        }
      }
    }
  }
  visit(document.contents.items, '', [document.contents])
  return wrong.length > 0 ? { wrong } : { values }
}
