import type { Definitions, SearchParameter } from '../definitions.ts'
import { prepareComposite } from './composite.ts'
import { convertFor } from './convert.ts'
import type { IndexEntry, IndexValue } from './index-value.ts'
import { type Node, preparePath, type Walk } from './path.ts'
import { token } from './token.ts'

/** What a resource is found by: one entry a parameter that it has values for. */
export type Extract = (resource: object) => IndexEntry[]

/** Prepares the extraction of all search parameters; each type's is compiled when it is first met. */
export function createExtract(definitions: Definitions): Extract {
  const byType = new Map<string, readonly PreparedParameter[]>()
  return (resource) => {
    const root = resource as Node
    const type = root['resourceType']
    if (typeof type !== 'string' || !definitions.resourceTypes.has(type)) return []
    let prepared = byType.get(type)
    if (prepared === undefined) {
      prepared = prepareType(type, definitions)
      byType.set(type, prepared)
    }
    const entries: IndexEntry[] = []
    let values: IndexValue[] = []
    for (const { parameter, walks } of prepared) {
      for (const walk of walks) walk(root, root, values)
      if (values.length === 0) continue
      entries.push({ parameter, values })
      values = []
    }
    return entries
  }
}

interface PreparedParameter {
  readonly parameter: SearchParameter
  readonly walks: readonly Walk<IndexValue[]>[]
}

function prepareType(type: string, definitions: Definitions): PreparedParameter[] {
  return [...definitions.parametersOf(type).values()]
    .map((parameter) => ({ parameter, walks: prepareParameter(parameter, definitions) }))
    .filter(({ walks }) => walks.length > 0)
}

/** The walks of one parameter, also for those who want only some parameters (compartments, reindexing). */
export function prepareParameter(parameter: SearchParameter, definitions: Definitions): Walk<IndexValue[]>[] {
  if (parameter.special === 'deceased') return [walkDeceased]
  if (parameter.type === 'composite') return prepareComposite(parameter, definitions)
  return (parameter.branches ?? []).flatMap((branch) => {
    const convert = convertFor(parameter.type, branch, parameter.targets, definitions)
    return convert === undefined ? [] : [preparePath<IndexValue[]>(branch, (node, _root, sink) => convert(node, sink))]
  })
}

/** `Patient.deceased.exists() and Patient.deceased != false`: every patient is one or the other. */
const walkDeceased: Walk<IndexValue[]> = (_node, root, sink) => {
  const isDead = root['deceasedDateTime'] !== undefined || root['deceasedBoolean'] === true
  sink.push(token(undefined, String(isDead)))
}
