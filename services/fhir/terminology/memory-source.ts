import { canonicalOf, isVersion } from './canonical.ts'
import type { ShippedConcept, ShippedConceptMap, ShippedContent } from './content.ts'
import type { Concept, Mapping, MappingQuery, TerminologySource } from './source.ts'
import { keyOf } from './value-set-codes.ts'

/** Terminology that is held in memory. */
export function memorySource({ codeSystems, valueSets, conceptMaps }: ShippedContent): TerminologySource {
  const systems = new Map(codeSystems.map((system) => [system.url, { system, concepts: byCode(system.concepts) }]))
  const sets = new Map(valueSets.map((valueSet) => [valueSet.url, valueSet]))
  const maps = new Map(conceptMaps.map((map) => [map.url, map]))
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
    async valueSet(canonical) {
      const { url, version } = canonicalOf(canonical)
      const found = sets.get(url)
      return isVersion(version, found?.version) ? found : undefined
    },
    async conceptMap(canonical) {
      const { url, version } = canonicalOf(canonical)
      const found = maps.get(url)
      return found === undefined || !isVersion(version, found.version) ? undefined : { url, version: found.version }
    },
    mappings: async (wanted) => {
      const rows = (wanted.isReverse === true ? byTarget : bySource).get(keyOf(wanted)) ?? []
      return rows.filter((row) => isOfMap(row, wanted)).flatMap((row) => mappingInto(row, wanted))
    },
  }
}

const byCode = (concepts: readonly ShippedConcept[]): ReadonlyMap<string, Concept> =>
  new Map(concepts.map(([code, display, ...parents]) => [code, { code, display: display ?? undefined, parents }]))

interface Row {
  readonly map: string
  readonly version: string | undefined
  readonly source: string
  readonly sourceParts: readonly [system: string, code: string]
  readonly target: string
  readonly targetParts: readonly [system: string, code: string]
  readonly equivalence: Mapping['equivalence']
  readonly display: string | undefined
}

const rowsOf = ({ url, version, groups }: ShippedConceptMap): Row[] =>
  groups.flatMap(({ source, target, pairs }) =>
    pairs.map(([from, to, equivalence = 'equivalent', display]) => ({
      map: url,
      version,
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

function isOfMap({ map, version }: Row, { map: canonical }: MappingQuery): boolean {
  if (canonical === undefined) return true
  const asked = canonicalOf(canonical)
  return asked.url === map && isVersion(asked.version, version)
}

function mappingInto(row: Row, wanted: MappingQuery): Mapping[] {
  const mapping = mappingOf(row, wanted)
  return wanted.targetSystem === undefined || wanted.targetSystem === mapping.system ? [mapping] : []
}
