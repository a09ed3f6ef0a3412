import type { ShippedConcept, ShippedConceptMap, ShippedContent } from './content.ts'
import type { Concept, Mapping, MappingQuery, TerminologySource } from './source.ts'

/** Terminology that is held in memory. */
export function memorySource({ codeSystems, valueSets, conceptMaps }: ShippedContent): TerminologySource {
  const systems = new Map(codeSystems.map((system) => [system.url, { system, concepts: byCode(system.concepts) }]))
  const sets = new Map(valueSets.map((valueSet) => [valueSet.url, valueSet]))
  const mappings = conceptMaps.flatMap(rowsOf)
  const bySource = grouped(mappings, ({ source }) => source)
  const byTarget = grouped(mappings, ({ target }) => target)
  return {
    async codeSystem(url) {
      const found = systems.get(url)?.system
      if (found === undefined) return undefined
      return { url, name: found.name, version: found.version, isComplete: found.content !== 'fragment' }
    },
    concept: async (system, code) => systems.get(system)?.concepts.get(code),
    displays: async (system, codes) => {
      const named = codes.map((code) => [code, systems.get(system)?.concepts.get(code)?.display] as const)
      return new Map(named.flatMap(([code, display]) => (display === undefined ? [] : [[code, display]])))
    },
    concepts: async (system) => {
      const concepts = systems.get(system)?.concepts
      return concepts === undefined ? undefined : [...concepts.values()]
    },
    valueSet: async (url) => sets.get(url),
    mappings: async (wanted) => {
      const rows = (wanted.isReverse === true ? byTarget : bySource).get(keyOf(wanted)) ?? []
      return rows.map((row) => mappingOf(row, wanted)).filter((mapping) => isWanted(mapping, wanted))
    },
  }
}

const byCode = (concepts: readonly ShippedConcept[]): ReadonlyMap<string, Concept> =>
  new Map(concepts.map(([code, display, parent]) => [code, { code, display: display ?? undefined, parent }]))

interface Row {
  readonly map: string
  readonly source: string
  readonly sourceParts: readonly [system: string, code: string]
  readonly target: string
  readonly targetParts: readonly [system: string, code: string]
  readonly equivalence: Mapping['equivalence']
  readonly display: string | undefined
}

const keyOf = ({ system, code }: { readonly system: string; readonly code: string }) => `${system}|${code}`

const rowsOf = ({ url, groups }: ShippedConceptMap): Row[] =>
  groups.flatMap(({ source, target, pairs }) =>
    pairs.map(([from, to, equivalence = 'equivalent', display]) => ({
      map: url,
      source: keyOf({ system: source, code: from }),
      sourceParts: [source, from] as const,
      target: keyOf({ system: target, code: to }),
      targetParts: [target, to] as const,
      equivalence,
      display,
    })),
  )

function grouped(rows: readonly Row[], key: (row: Row) => string): ReadonlyMap<string, readonly Row[]> {
  return Map.groupBy(rows, key)
}

function mappingOf(row: Row, { isReverse = false }: MappingQuery): Mapping {
  const [system, code] = isReverse ? row.sourceParts : row.targetParts
  const equivalence = isReverse ? (turned[row.equivalence] ?? row.equivalence) : row.equivalence
  return { map: row.map, system, code, display: isReverse ? undefined : row.display, equivalence }
}

/** What is wider one way is narrower the other. */
export const turned: Readonly<Partial<Record<Mapping['equivalence'], Mapping['equivalence']>>> = {
  wider: 'narrower',
  narrower: 'wider',
  subsumes: 'specializes',
  specializes: 'subsumes',
}

export const isWanted = (mapping: Mapping, { map, targetSystem }: MappingQuery) =>
  (map === undefined || mapping.map === map) && (targetSystem === undefined || mapping.system === targetSystem)
