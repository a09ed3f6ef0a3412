import type { Equivalence, ShippedValueSet } from './content.ts'

/** Where terminology comes from: what is shipped, what was loaded, or both. */
export interface TerminologySource extends CodeSystems {
  /** @param canonical the address, with the version behind `|` where a certain one is meant. */
  valueSet(canonical: string): Promise<ShippedValueSet | undefined>
  conceptMap(canonical: string): Promise<ConceptMapFacts | undefined>
  mappings(wanted: MappingQuery): Promise<readonly Mapping[]>
  /** Why what has this address, and is here, is not answered from. */
  whyNot?(type: 'ValueSet' | 'ConceptMap', canonical: string): Promise<string | undefined>
}

export interface CodeSystems {
  codeSystem(url: string): Promise<CodeSystemFacts | undefined>
  /** Undefined when the system has no such code; check that the system is there first. */
  concept(system: string, code: string): Promise<Concept | undefined>
  /** What these codes of the system are called, by code; those that it does not know or does not name are left out. */
  displays(system: string, codes: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** All concepts in their order; undefined when the system is not there. */
  concepts(system: string): Promise<readonly Concept[] | undefined>
}

export interface CodeSystemFacts {
  readonly url: string
  readonly name: string
  readonly version: string | undefined
  /** A fragment lacks codes that are good. */
  readonly isComplete: boolean
}

export interface ConceptMapFacts {
  readonly url: string
  readonly version: string | undefined
}

export interface Concept {
  readonly code: string
  readonly display: string | undefined
  /** The codes above it. */
  readonly parents: readonly string[]
}

export interface MappingQuery {
  readonly system: string
  readonly code: string
  /** Only this concept map, by its canonical address. */
  readonly map?: string
  readonly targetSystem?: string
  /** From the target of the maps to their source. */
  readonly isReverse?: boolean
}

export interface Mapping {
  readonly map: string
  readonly system: string
  readonly code: string
  readonly display: string | undefined
  readonly equivalence: Equivalence
}

/**
 * The first that has it answers; mappings of all are taken together. What was written to the record comes last, and adds
 * no mapping to a system into which another source translates the code: whoever reads the answer takes all of them for
 * the same meaning, and a token that may write a resource must not be able to change what `male` means.
 */
export function combined(standing: readonly TerminologySource[], recorded?: TerminologySource): TerminologySource {
  const sources = recorded === undefined ? standing : [...standing, recorded]
  const first = async <Found>(ask: (source: TerminologySource) => Promise<Found | undefined>) => {
    for (const source of sources) {
      const found = await ask(source)
      if (found !== undefined) return found
    }
    return undefined
  }
  // From the source that has the system: a code that it left out on purpose must not come back from another.
  const holderOf = (system: string) =>
    first(async (source) => ((await source.codeSystem(system)) === undefined ? undefined : source))
  return {
    codeSystem: (url) => first((source) => source.codeSystem(url)),
    concept: async (system, code) => (await holderOf(system))?.concept(system, code),
    displays: async (system, codes) => (await holderOf(system))?.displays(system, codes) ?? new Map(),
    concepts: (system) => first((source) => source.concepts(system)),
    valueSet: (canonical) => first((source) => source.valueSet(canonical)),
    conceptMap: (canonical) => first((source) => source.conceptMap(canonical)),
    whyNot: (type, canonical) => first(async (source) => source.whyNot?.(type, canonical)),
    mappings: async (wanted) => {
      const asked = [...standing, ...(recorded === undefined ? [] : [notReplacing(recorded, standing)])]
      const found = await Promise.all(asked.map((source) => source.mappings(wanted)))
      const own = found.slice(0, standing.length).flat()
      const isTaken = ({ system }: Mapping) => own.some((mapping) => mapping.system === system)
      return [
        ...own,
        ...found
          .slice(standing.length)
          .flat()
          .filter((mapping) => !isTaken(mapping)),
      ]
    },
  }
}

/** Its mappings but those of maps whose address is that of another's. */
const notReplacing = (
  recorded: TerminologySource,
  standing: readonly TerminologySource[],
): Pick<TerminologySource, 'mappings'> => ({
  async mappings(wanted) {
    const found = await recorded.mappings(wanted)
    const known = new Set<string>()
    for (const map of new Set(found.map((mapping) => mapping.map))) {
      const others = await Promise.all(standing.map((source) => source.conceptMap(map)))
      if (others.some((other) => other !== undefined)) known.add(map)
    }
    return found.filter(({ map }) => !known.has(map))
  },
})
