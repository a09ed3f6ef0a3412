import type { CompiledComponent, CompiledParameter } from '../compiled.ts'
import type { Definitions } from '../definitions.ts'
import { convertFor } from './convert.ts'
import type { IndexValue } from './index-value.ts'
import { type Node, preparePath, type Walk } from './path.ts'

/** A node of a composite gives every combination of the values of its components; one missing gives none. */
export function prepareComposite(parameter: CompiledParameter, definitions: Definitions): Walk<IndexValue[]>[] {
  const components = (parameter.components ?? []).map((component) => prepareComponent(component, definitions))
  const visit: Walk<IndexValue[]> = (node, root, sink) => {
    let rows: IndexValue[][] = [[]]
    for (const component of components) {
      const values = component(node, root)
      if (values.length === 0) return
      rows = rows.flatMap((row) => values.map((value) => row.concat(value)))
    }
    for (const parts of rows) sink.push({ kind: 'composite', parts })
  }
  return (parameter.branches ?? []).map((branch) => preparePath(branch, visit))
}

function prepareComponent(component: CompiledComponent, definitions: Definitions) {
  const walks = component.branches.flatMap((branch) => {
    const convert = convertFor(component.type, branch, undefined, definitions)
    return convert === undefined ? [] : [preparePath<IndexValue[]>(branch, (node, _root, sink) => convert(node, sink))]
  })
  return (node: unknown, root: Node): IndexValue[] => {
    const values: IndexValue[] = []
    for (const walk of walks) walk(node, root, values)
    return values
  }
}
