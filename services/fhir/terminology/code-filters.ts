import { incorrect } from '../../../packages/faults/fault.ts'
import type { ValueSet } from '../../../packages/fhir/r4.ts'
import { ancestors, Hierarchy } from './hierarchy.ts'
import { memorySource } from './memory-source.ts'
import { readValueSet } from './read-resource.ts'
import { combined, type TerminologySource } from './source.ts'
import { codesOf, type SetCodes } from './value-set-codes.ts'

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
      const set = await codesOf(url, nameless)
      const why = set === undefined ? await source.whyNot?.('ValueSet', url) : undefined
      if (why !== undefined) throw incorrect(why)
      return set && wholeOf(set)
    },
    async codesOfSet(resource: ValueSet): Promise<readonly SystemCode[] | undefined> {
      const { valueSet } = readValueSet({ ...resource, url: resource.url ?? 'urn:corridor:nameless' })
      const own = memorySource({ codeSystems: [], valueSets: [valueSet], conceptMaps: [] })
      const set = await codesOf(valueSet.url, combined([own, nameless]))
      return set && wholeOf(set)
    },
    codesBelow: (system: string, code: string) => tree(system, (concepts) => new Hierarchy(concepts).subtree(code)),
    codesAbove: (system: string, code: string) => tree(system, (concepts) => ancestors(concepts, code)),
  }
}

/** A search by half a value set would leave out what is in it, and with `:not-in` find it. */
function wholeOf({ codes, partly }: SetCodes): readonly SystemCode[] {
  if (partly.size === 0) return codes
  const names = [...partly.values()].join(', ')
  throw incorrect(`Only a part of ${names} is loaded, so that nobody can say here which codes the value set has.`)
}
