import type { Equivalence, ShippedValueSet } from './content.ts'

/** Where terminology comes from: what is shipped, what was loaded, or both. */
export interface TerminologySource {
  codeSystem(url: string): Promise<CodeSystemFacts | undefined>
  /** Undefined when the system has no such code; check that the system is there first. */
  concept(system: string, code: string): Promise<Concept | undefined>
  /** All concepts in their order; undefined when the system is not there. */
  concepts(system: string): Promise<readonly Concept[] | undefined>
  valueSet(url: string): Promise<ShippedValueSet | undefined>
  mappings(wanted: MappingQuery): Promise<readonly Mapping[]>
}

export interface CodeSystemFacts {
  readonly url: string
  readonly name: string
  readonly version: string | undefined
  /** A fragment lacks codes that are good. */
  readonly isComplete: boolean
}

export interface Concept {
  readonly code: string
  readonly display: string | undefined
  readonly parent: string | undefined
}

export interface MappingQuery {
  readonly system: string
  readonly code: string
  /** Only this concept map. */
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

/** The first that has it answers; mappings of all are taken together. */
export function combined(sources: readonly TerminologySource[]): TerminologySource {
  const first = async <Found>(ask: (source: TerminologySource) => Promise<Found | undefined>) => {
    for (const source of sources) {
      const found = await ask(source)
      if (found !== undefined) return found
    }
    return undefined
  }
  return {
    codeSystem: (url) => first((source) => source.codeSystem(url)),
    // From the source that has the system: a code that it left out on purpose must not come back from another.
    concept: async (system, code) =>
      first(async (source) => {
        if ((await source.codeSystem(system)) === undefined) return undefined
        return { found: await source.concept(system, code) }
      }).then((answer) => answer?.found),
    concepts: (system) => first((source) => source.concepts(system)),
    valueSet: (url) => first((source) => source.valueSet(url)),
    mappings: async (wanted) => (await Promise.all(sources.map((source) => source.mappings(wanted)))).flat(),
  }
}
