import type { CodeSystemConcept } from '../../../../packages/fhir/r4.ts'

/**
 * The codes above a concept, each once: systems nest, or name them in properties, and a concept may be below several.
 *
 * Here, because what is shipped is compiled anew when a file of this folder changes.
 *
 * @param above the concept that it is nested in.
 */
export function parentsOf({ property = [] }: Pick<CodeSystemConcept, 'property'>, above?: string): string[] {
  const named = property.flatMap(({ code, valueCode }) =>
    valueCode !== undefined && (code === 'parent' || code === 'subsumedBy') ? [valueCode] : [],
  )
  return [...new Set(above === undefined ? named : [above, ...named])]
}
