import { incorrect } from '../../../packages/faults/fault.ts'
import type { ValueSet } from '../../../packages/fhir/r4.ts'
import { ancestors, subtree } from './hierarchy.ts'
import { memorySource } from './memory-source.ts'
import { readValueSet } from './read-resource.ts'
import { combined, type TerminologySource } from './source.ts'
import { codesOf } from './value-set-codes.ts'

interface SystemCode {
  readonly system: string
  readonly code: string
}

/** What the search asks for `:in`, `:below` and `:above`. Undefined: the value set or the system is not known. */
export function codeFilters(source: TerminologySource) {
  const tree = async (
    system: string,
    pick: (concepts: NonNullable<Awaited<ReturnType<TerminologySource['concepts']>>>) => ReadonlySet<string>,
  ): Promise<readonly SystemCode[] | undefined> => {
    const concepts = await source.concepts(system)
    return concepts === undefined ? undefined : [...pick(concepts)].map((code) => ({ system, code }))
  }
  // A search compares codes: nobody reads what they are called.
  const nameless: TerminologySource = { ...source, displays: async () => new Map() }
  return {
    async codesIn(url: string): Promise<readonly SystemCode[] | undefined> {
      const codes = await codesOf(url, nameless)
      const why = codes === undefined ? await source.whyNot?.('ValueSet', url) : undefined
      if (why !== undefined) throw incorrect(why)
      return codes
    },
    async codesOfSet(resource: ValueSet): Promise<readonly SystemCode[] | undefined> {
      const { valueSet } = readValueSet({ ...resource, url: resource.url ?? 'urn:corridor:nameless' })
      const own = memorySource({ codeSystems: [], valueSets: [valueSet], conceptMaps: [] })
      return codesOf(valueSet.url, combined([own, nameless]))
    },
    codesBelow: (system: string, code: string) => tree(system, (concepts) => subtree(concepts, code)),
    codesAbove: (system: string, code: string) => tree(system, (concepts) => ancestors(concepts, code)),
  }
}
