import type { CompiledComponent, CompiledParameter } from '../compiled.ts'
import type { Definitions } from '../definitions.ts'
import { convertFor } from './convert.ts'
import type { IndexValue } from './index-value.ts'
import { type Node, preparePath, type Walk } from './path.ts'
import { TooManyCombinations } from './too-many-combinations.ts'

/**
 * A node of a composite gives every combination of the values of its components; one missing gives none. Their number is
 * limited before they are made: 250 codings of a code and 250 of its value are 16 kB, and 62,500 combinations.
 */
export function prepareComposite(parameter: CompiledParameter, definitions: Definitions): Walk<IndexValue[]>[] {
  const components = (parameter.components ?? []).map((component) => prepareComponent(component, definitions))
  const visit: Walk<IndexValue[]> = (node, root, sink) => {
    const lists: IndexValue[][] = []
    // From the end: nearly every node has the code that comes first, few have a value of the type that comes last.
    for (let position = components.length - 1; position >= 0; position--) {
      const values = components[position]?.(node, root) ?? []
      if (values.length === 0) return
      lists[position] = values
    }
    const count = lists.reduce((product, { length }) => product * length, 1)
    if (count > 1 && (count > ofNodeMax || sink.length + count > ofParameterMax)) {
      throw new TooManyCombinations(parameter.code, { ofNodeMax, ofParameterMax })
    }
    combine(lists, [], sink)
  }
  return (parameter.branches ?? []).map((branch) => preparePath(branch, visit))
}

/** Of one element: sixteen codings and sixteen values are far more than anybody has. */
const ofNodeMax = 256

/** Of a whole resource under one parameter. Elements with one combination each are as many as they are. */
const ofParameterMax = 10_000

function combine(lists: readonly IndexValue[][], parts: readonly IndexValue[], sink: IndexValue[]): void {
  for (const value of lists[parts.length] ?? []) {
    const longer = [...parts, value]
    if (longer.length === lists.length) sink.push({ kind: 'composite', parts: longer })
    else combine(lists, longer, sink)
  }
}

function prepareComponent(component: CompiledComponent, definitions: Definitions) {
  const walks = component.branches.flatMap((branch) => {
    const convert = convertFor(component.type, branch, undefined, definitions)
    return convert === undefined ? [] : [preparePath<IndexValue[]>(branch, (node, _root, sink) => convert(node, sink))]
  })
  return (node: unknown, root: Node): IndexValue[] => {
    const values: IndexValue[] = []
    for (const walk of walks) walk(node, root, values)
    return values.length === 0 ? values : values.filter(canBeSearched)
  }
}

/** Composites have no `:text`, so a concept without a code could never be found by it. */
const canBeSearched = (value: IndexValue) => value.kind !== 'token' || value.code !== undefined
