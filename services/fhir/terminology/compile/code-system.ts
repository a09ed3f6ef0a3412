import type { CodeSystem, CodeSystemConcept } from '../../../../packages/fhir/r4.ts'
import type { ShippedCodeSystem, ShippedConcept } from '../content.ts'
import { parentsOf } from './parents-of.ts'

/** Large lists of no use to a hospital, and those whose owners the package's licence does not speak for. */
const leftOut =
  /dicom|spdx|v3-(?:TribalEntityUS|Race|Ethnicity|AmericanIndian|Dentition|ObservationMethod|hl7)|example/i

/** Complete systems only; none for the others. */
export function compileCodeSystem(system: CodeSystem): ShippedCodeSystem[] {
  const { url, name, content, concept } = system
  if (url === undefined || content !== 'complete' || concept === undefined || leftOut.test(url)) return []
  return [
    {
      url,
      name: name ?? url,
      ...(system.title === undefined || system.title === name ? {} : { title: system.title }),
      ...(system.version === undefined ? {} : { version: system.version }),
      concepts: flattened(concept),
    },
  ]
}

function flattened(concepts: readonly CodeSystemConcept[], above?: string): ShippedConcept[] {
  return concepts.flatMap((concept) => {
    const parents = parentsOf(concept, above)
    return [row(concept.code, concept.display, parents), ...flattened(concept.concept ?? [], concept.code)]
  })
}

function row(code: string, display: string | undefined, parents: readonly string[]): ShippedConcept {
  if (parents.length > 0) return [code, display ?? null, ...parents]
  return display === undefined ? [code] : [code, display]
}
