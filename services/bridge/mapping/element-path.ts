/** A JSON object whose members are not known here. */
export type Node = Record<string, unknown>

/** Where a value goes inside a resource, cut up once: `a.b`, the list `a.b[]`, or the extensions for `extension(url)`. */
export interface ElementPath {
  readonly outer: readonly string[]
  readonly name: string
  readonly isList: boolean
}

export function elementPath(path: string): ElementPath {
  const steps = (path.startsWith('extension(') ? 'extension[]' : path).split('.')
  const last = steps.at(-1) ?? ''
  const isList = last.endsWith('[]')
  return { outer: steps.slice(0, -1), name: isList ? last.slice(0, -2) : last, isList }
}

/** Sets the element, or adds to its list; a list of values adds each. */
export function setElement(root: Node, { outer, name, isList }: ElementPath, value: unknown): void {
  let node = root
  for (const step of outer) {
    node[step] ??= {}
    node = node[step] as Node
  }
  if (!isList) {
    node[name] = value
    return
  }
  const list = (node[name] ??= []) as unknown[]
  for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) list.push(one)
}

/**
 * Removes `a.b` (of each item where `a` is a list), or the extensions with the address of `extension(url)`; objects that become empty go too. Only the root
 * itself is changed: an object inside it is replaced by one without the element.
 */
export function deleteElement(root: Node, path: string): void {
  const extension = /^extension\((.*)\)$/.exec(path)
  if (extension !== null) {
    const kept = listOf(root, 'extension').filter((item) => item['url'] !== extension[1])
    if (kept.length === 0) delete root['extension']
    else root['extension'] = kept
    return
  }
  const [step = '', ...rest] = path.split('.')
  const inner = root[step]
  if (rest.length === 0) delete root[step]
  else {
    const kept = withoutElement(inner, rest.join('.'))
    if (kept === undefined) delete root[step]
    else root[step] = kept
  }
}

/** Undefined when nothing is left. */
function withoutElement(inner: unknown, path: string): unknown {
  if (Array.isArray(inner)) {
    const kept = inner.map((item) => withoutElement(item, path)).filter((item) => item !== undefined)
    return kept.length === 0 ? undefined : kept
  }
  if (!isNode(inner)) return inner
  const kept = { ...inner }
  deleteElement(kept, path)
  return Object.keys(kept).length === 0 ? undefined : kept
}

/** The value at `type.0.coding.0.code`. */
export function valueAt(node: unknown, path: string): unknown {
  let value = node
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Node)[step]
  }
  return value
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const listOf = (node: Node, name: string): Node[] => {
  const value = node[name]
  return Array.isArray(value) ? value.filter(isNode) : []
}
