import type { Concept } from './source.ts'

/** The code and all below it. */
export function subtree(concepts: readonly Concept[], root: string): ReadonlySet<string> {
  const children = new Map<string, string[]>()
  for (const { code, parents } of concepts) {
    for (const parent of parents) {
      const known = children.get(parent)
      if (known === undefined) children.set(parent, [code])
      else known.push(code)
    }
  }
  const found = new Set<string>()
  const open = concepts.some(({ code }) => code === root) ? [root] : []
  for (let code = open.pop(); code !== undefined; code = open.pop()) {
    if (found.has(code)) continue
    found.add(code)
    // One by one: a code may have more below it than a call can take.
    for (const child of children.get(code) ?? []) open.push(child)
  }
  return found
}

/** The code and all above it. */
export function ancestors(concepts: readonly Concept[], start: string): ReadonlySet<string> {
  const parentsOf = new Map(concepts.map(({ code, parents }) => [code, parents]))
  const found = new Set<string>()
  const open = [start]
  for (let code = open.pop(); code !== undefined; code = open.pop()) {
    const parents = parentsOf.get(code)
    if (parents === undefined || found.has(code)) continue
    found.add(code)
    open.push(...parents)
  }
  return found
}
