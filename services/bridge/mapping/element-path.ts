/** A JSON object whose members are not known here. */
export type Node = Record<string, unknown>

/** Sets `a.b`, adds to the list `a.b[]`, or adds to `extension` for `extension(url)`. A list of values adds each. */
export function setElement(root: Node, path: string, value: unknown): void {
  const steps = (path.startsWith('extension(') ? 'extension[]' : path).split('.')
  let node = root
  for (const step of steps.slice(0, -1)) {
    node[step] ??= {}
    node = node[step] as Node
  }
  const last = steps.at(-1) ?? ''
  if (!last.endsWith('[]')) {
    node[last] = value
    return
  }
  const name = last.slice(0, -2)
  const list = (node[name] ??= []) as unknown[]
  if (Array.isArray(value)) list.push(...(value as unknown[]))
  else list.push(value)
}

/** A copy of JSON. Decimals are values, not nodes: they are shared, because a structured clone would lose their kind. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  if (!isNode(value) || 'toJSON' in value) return value
  const copy: Node = {}
  for (const name in value) copy[name] = copyOf(value[name])
  return copy
}

/** Removes `a.b`, or the extensions with the address of `extension(url)`; objects that become empty go too. */
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
  else if (isNode(inner)) {
    deleteElement(inner, rest.join('.'))
    if (Object.keys(inner).length === 0) delete root[step]
  }
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
