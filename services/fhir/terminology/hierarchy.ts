import type { Concept } from './source.ts'

/** What is below what in a code system, put together once for however many questions. */
export class Hierarchy {
  readonly concepts: readonly Concept[]
  #tree: Tree | undefined

  constructor(concepts: readonly Concept[]) {
    this.concepts = concepts
  }

  /** The code and all below it; none where there is no such code. */
  subtree(root: string): ReadonlySet<string> {
    const { children, placeOf } = this.#whole()
    const found = new Set<string>()
    const open = placeOf.has(root) ? [root] : []
    for (let code = open.pop(); code !== undefined; code = open.pop()) {
      if (found.has(code)) continue
      found.add(code)
      // One by one: a code may have more below it than a call can take.
      for (const child of children.get(code) ?? []) open.push(child)
    }
    return found
  }

  /** The concepts of these codes, in the order of the system. */
  inOrder(codes: Iterable<string>): Concept[] {
    const { placeOf } = this.#whole()
    const places = Array.from(codes, (code) => placeOf.get(code) ?? -1).sort((some, other) => some - other)
    return places.flatMap((place) => this.concepts[place] ?? [])
  }

  /** Only a set with filters asks for it. */
  #whole(): Tree {
    return (this.#tree ??= treeOf(this.concepts))
  }
}

interface Tree {
  readonly children: ReadonlyMap<string, readonly string[]>
  readonly placeOf: ReadonlyMap<string, number>
}

function treeOf(concepts: readonly Concept[]): Tree {
  const children = new Map<string, string[]>()
  for (const { code, parents } of concepts) {
    for (const parent of parents) {
      const known = children.get(parent)
      if (known === undefined) children.set(parent, [code])
      else known.push(code)
    }
  }
  return { children, placeOf: new Map(concepts.map(({ code }, place) => [code, place])) }
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
