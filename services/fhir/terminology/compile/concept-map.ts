import type { ConceptMap } from '../../../../packages/fhir/r4.ts'
import type { MappedPair, ShippedConceptMap } from '../content.ts'

/** Maps between systems that are shipped; none for the others. */
export function compileConceptMap(map: ConceptMap, systems: ReadonlySet<string>): ShippedConceptMap[] {
  const { url, name, version, group = [] } = map
  const groups = group.flatMap(({ source, target, element }) =>
    source !== undefined && target !== undefined && systems.has(source) && systems.has(target)
      ? [{ source, target, pairs: element.flatMap(pairsOf) }]
      : [],
  )
  // `cm-`: between FHIR and the tables of v2 and v3; the others are examples and comparisons of status words.
  if (url === undefined || !url.includes('/cm-') || groups.length === 0) return []
  const sourceSet = map.sourceCanonical ?? map.sourceUri
  const targetSet = map.targetCanonical ?? map.targetUri
  return [
    {
      url,
      name: name ?? url,
      ...(version === undefined ? {} : { version }),
      ...(sourceSet === undefined ? {} : { source: sourceSet }),
      ...(targetSet === undefined ? {} : { target: targetSet }),
      groups,
    },
  ]
}

type Element = NonNullable<ConceptMap['group']>[number]['element'][number]

function pairsOf({ code, target = [] }: Element): MappedPair[] {
  if (code === undefined) return []
  return target.flatMap(({ code: to, equivalence }): MappedPair[] => {
    if (to === undefined || equivalence === 'unmatched' || equivalence === 'disjoint') return []
    return [equivalence === 'equivalent' ? [code, to] : [code, to, equivalence]]
  })
}
