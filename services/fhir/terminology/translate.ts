import type { Mapping, MappingQuery, TerminologySource } from './source.ts'

/** The mappings of a code, the closest first, with displays where they are known. */
export async function translate(wanted: MappingQuery, source: TerminologySource): Promise<Mapping[]> {
  const found = await source.mappings(wanted)
  const once = new Map(found.map((mapping) => [`${mapping.map} ${mapping.system}|${mapping.code}`, mapping]))
  const sorted = [...once.values()].sort((one, other) => closeness(one) - closeness(other))
  const displays = await displaysOf(
    sorted.filter(({ display }) => display === undefined),
    source,
  )
  return sorted.map((mapping) => ({
    ...mapping,
    display: mapping.display ?? displays.get(mapping.system)?.get(mapping.code),
  }))
}

/** By system, in one question each: a map may lead from one code to thousands. */
async function displaysOf(nameless: readonly Mapping[], source: TerminologySource) {
  const found = new Map<string, ReadonlyMap<string, string>>()
  for (const [system, those] of Map.groupBy(nameless, (mapping) => mapping.system)) {
    const codes = those.map(({ code }) => code)
    found.set(system, await source.displays(system, codes))
  }
  return found
}

const order = ['equal', 'equivalent', 'wider', 'subsumes', 'relatedto', 'narrower', 'specializes', 'inexact'] as const
const closeness = ({ equivalence }: Mapping) => (order as readonly string[]).indexOf(equivalence)

/** The target says no more than the source did, so it may stand in its place. */
export const isSafe = ({ equivalence }: Pick<Mapping, 'equivalence'>): boolean =>
  equivalence === 'equal' || equivalence === 'equivalent' || equivalence === 'wider' || equivalence === 'subsumes'
