import type { Concept } from './source.ts'

/** The code and all below it. */
export function subtree(concepts: readonly Concept[], root: string): ReadonlySet<string> {
  const children = Map.groupBy(concepts, ({ parent }) => parent)
  const found = new Set<string>()
  const open = concepts.some(({ code }) => code === root) ? [root] : []
  for (let code = open.pop(); code !== undefined; code = open.pop()) {
    if (found.has(code)) continue
    found.add(code)
    open.push(...(children.get(code) ?? []).map((child) => child.code))
  }
  return found
}

/** The code and all above it. */
export function ancestors(concepts: readonly Concept[], start: string): ReadonlySet<string> {
  const parents = new Map(concepts.map(({ code, parent }) => [code, parent]))
  const found = new Set<string>()
  for (let code: string | undefined = start; code !== undefined && parents.has(code) && !found.has(code);) {
    found.add(code)
    code = parents.get(code)
  }
  return found
}
