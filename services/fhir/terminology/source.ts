import type { Equivalence, ShippedValueSet } from './content.ts'

/** Where terminology comes from: what is shipped, what was loaded, or both. */
export interface TerminologySource {
  codeSystem(url: string): Promise<CodeSystemFacts | undefined>
  /** Undefined when the system has no such code; check that the system is there first. */
  concept(system: string, code: string): Promise<Concept | undefined>
  /** What these codes of the system are called, by code; those that it does not know or does not name are left out. */
  displays(system: string, codes: readonly string[]): Promise<ReadonlyMap<string, string>>
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
  // From the source that has the system: a code that it left out on purpose must not come back from another.
  const holderOf = (system: string) =>
    first(async (source) => ((await source.codeSystem(system)) === undefined ? undefined : source))
  return {
    codeSystem: (url) => first((source) => source.codeSystem(url)),
    concept: async (system, code) => (await holderOf(system))?.concept(system, code),
    displays: async (system, codes) => (await holderOf(system))?.displays(system, codes) ?? new Map(),
    concepts: (system) => first((source) => source.concepts(system)),
    valueSet: (url) => first((source) => source.valueSet(url)),
    mappings: async (wanted) => (await Promise.all(sources.map((source) => source.mappings(wanted)))).flat(),
  }
}
