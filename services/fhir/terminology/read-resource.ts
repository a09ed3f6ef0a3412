import { incorrect } from '../../../packages/faults/fault.ts'
import type {
  CodeSystem,
  CodeSystemConcept,
  ConceptMap,
  ValueSet,
  ValueSetComposeInclude,
} from '../../../packages/fhir/r4.ts'
import { parentsOf } from './compile/parents-of.ts'
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
  return concepts.flatMap(({ code, display, property, concept = [] }): ShippedConcept[] => [
    [code, display ?? null, ...parentsOf({ property }, above)],
    ...flattened(concept, code),
  ])
}

/** The set, and what its named codes tell about their code systems. */
export function readValueSet(resource: ValueSet): { valueSet: ShippedValueSet; systems: ShippedCodeSystem[] } {
  const { include = [], exclude = [] } = resource.compose ?? {}
  const isComposed = include.length > 0
  const parts = isComposed ? include.map(inclusionOf) : expansionParts(resource.expansion)
  const valueSet: ShippedValueSet = {
    url: urlOf(resource),
    name: resource.title ?? resource.name ?? urlOf(resource),
    ...(resource.version === undefined ? {} : { version: resource.version }),
    ...(!isComposed && isCut(resource.expansion) ? { isPart: true } : {}),
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

type Expansion = ValueSet['expansion']
type Contains = NonNullable<NonNullable<Expansion>['contains']>

/** What is abstract stands there for those below it, and is none of the codes. */
function expansionParts(expansion: Expansion): Inclusion[] {
  const bySystem = Map.groupBy(
    nodesOf(expansion).filter(
      ({ code, system, abstract }) => code !== undefined && system !== undefined && abstract !== true,
    ),
    ({ system = '' }) => system,
  )
  return [...bySystem].map(([system, codes]) => ({
    system,
    codes: codes.map(({ code = '', display }) => [code, display ?? null] as const),
  }))
}

const nodesOf = (expansion: Expansion): Contains => {
  const all = (list: Contains): Contains => list.flatMap((one) => [one, ...all(one.contains ?? [])])
  return all(expansion?.contains ?? [])
}

/** One page of it, or one whose server says that there are more codes than it lists. */
const isCut = (expansion: Expansion): boolean =>
  (expansion?.total ?? 0) > nodesOf(expansion).length ||
  (expansion?.extension ?? []).some(({ url, valueBoolean }) => cutSigns.has(url) && valueBoolean === true)

const cutSigns: ReadonlySet<string> = new Set(
  ['valueset-unclosed', 'valueset-toocostly'].map((name) => `http://hl7.org/fhir/StructureDefinition/${name}`),
)

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
      // R4: "only applicable if the specified element can be resolved, and it has the specified value". Who asks for a
      // translation here says a code and no more, and takes all answers for the same meaning.
      if (element.some(({ target: targets = [] }) => targets.some(isConditional))) {
        throw incorrect(
          'A concept map whose targets depend on more than the code (dependsOn, product) cannot be loaded.',
        )
      }
      return { source, target, pairs: element.flatMap(pairsOf) }
    }),
  }
}

type Element = NonNullable<ConceptMap['group']>[number]['element'][number]

const isConditional = ({ dependsOn = [], product = [] }: NonNullable<Element['target']>[number]) =>
  dependsOn.length + product.length > 0

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
