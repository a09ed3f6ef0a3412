import { incorrect } from '../../../packages/faults/fault.ts'
import type {
  CodeSystem,
  CodeSystemConcept,
  ConceptMap,
  ValueSet,
  ValueSetComposeInclude,
} from '../../../packages/fhir/r4.ts'
import type {
  Inclusion,
  MappedPair,
  ShippedCodeSystem,
  ShippedConcept,
  ShippedConceptMap,
  ShippedValueSet,
} from './content.ts'

export function readCodeSystem(system: CodeSystem): ShippedCodeSystem {
  return {
    url: urlOf(system),
    name: system.title ?? system.name ?? urlOf(system),
    ...(system.version === undefined ? {} : { version: system.version }),
    ...(system.content === 'complete' ? {} : { content: 'fragment' }),
    concepts: flattened(system.concept ?? []),
  }
}

function flattened(concepts: readonly CodeSystemConcept[], above?: string): ShippedConcept[] {
  return concepts.flatMap(({ code, display, property = [], concept = [] }) => {
    const parent = above ?? property.find((one) => one.code === 'parent' || one.code === 'subsumedBy')?.valueCode
    const row: ShippedConcept = parent === undefined ? [code, display ?? null] : [code, display ?? null, parent]
    return [row, ...flattened(concept, code)]
  })
}

/** The set, and what its named codes tell about their code systems. */
export function readValueSet(resource: ValueSet): { valueSet: ShippedValueSet; systems: ShippedCodeSystem[] } {
  const { include = [], exclude = [] } = resource.compose ?? {}
  const expansion = resource.expansion?.contains ?? []
  const parts = include.length > 0 ? include.map(inclusionOf) : expansionParts(expansion)
  const valueSet: ShippedValueSet = {
    url: urlOf(resource),
    name: resource.title ?? resource.name ?? urlOf(resource),
    ...(resource.version === undefined ? {} : { version: resource.version }),
    include: parts,
    ...(exclude.length === 0 ? {} : { exclude: exclude.map(inclusionOf) }),
  }
  const systems = parts.flatMap(({ system, codes }): ShippedCodeSystem[] =>
    system === undefined || codes?.some(([, display]) => typeof display === 'string') !== true
      ? []
      : [{ url: system, name: system, content: 'fragment', concepts: codes }],
  )
  return { valueSet, systems }
}

function inclusionOf({ system, version, concept, filter = [], valueSet }: ValueSetComposeInclude): Inclusion {
  const below = filter.map(({ property, op, value }) => {
    if (property === 'concept' && (op === 'is-a' || op === 'descendent-of'))
      return { code: value, isSelfIn: op === 'is-a' }
    throw incorrect(`A value set with the filter ${property} ${op} cannot be loaded; load its expansion instead.`)
  })
  return {
    ...(system === undefined ? {} : { system }),
    // R4: `*` stands for all versions.
    ...(version === undefined || version === '*' ? {} : { version }),
    ...(concept === undefined ? {} : { codes: concept.map(({ code, display }) => [code, display ?? null] as const) }),
    ...(below.length === 0 ? {} : { below }),
    ...(valueSet === undefined ? {} : { valueSets: valueSet }),
  }
}

type Contains = NonNullable<NonNullable<ValueSet['expansion']>['contains']>

function expansionParts(contains: Contains): Inclusion[] {
  const all = (list: Contains): Contains => list.flatMap((one) => [one, ...all(one.contains ?? [])])
  const bySystem = Map.groupBy(
    all(contains).filter(({ code, system }) => code !== undefined && system !== undefined),
    ({ system = '' }) => system,
  )
  return [...bySystem].map(([system, codes]) => ({
    system,
    codes: codes.map(({ code = '', display }) => [code, display ?? null] as const),
  }))
}

export function readConceptMap(map: ConceptMap): ShippedConceptMap {
  return {
    url: urlOf(map),
    name: map.title ?? map.name ?? urlOf(map),
    ...(map.version === undefined ? {} : { version: map.version }),
    groups: (map.group ?? []).map(({ source, target, element, unmapped }) => {
      if (source === undefined || target === undefined) {
        throw incorrect('Every group of a concept map must name its source and its target system.')
      }
      if (unmapped !== undefined) {
        throw incorrect('A concept map that says what becomes of unmapped codes (group.unmapped) cannot be loaded.')
      }
      return { source, target, pairs: element.flatMap(pairsOf) }
    }),
  }
}

type Element = NonNullable<ConceptMap['group']>[number]['element'][number]

const pairsOf = ({ code, target = [] }: Element): MappedPair[] =>
  target.flatMap(({ code: to, equivalence, display }): MappedPair[] =>
    code === undefined || to === undefined || equivalence === 'unmatched' || equivalence === 'disjoint'
      ? []
      : [display === undefined ? [code, to, equivalence] : [code, to, equivalence, display]],
  )

function urlOf({ resourceType, url }: { readonly resourceType: string; readonly url?: string | undefined }): string {
  if (url === undefined) throw incorrect(`The ${resourceType} has no url, so nothing could refer to it.`)
  return url
}
