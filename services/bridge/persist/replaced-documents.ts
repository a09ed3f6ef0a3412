import type { DocumentReference, FhirResource } from '../../../packages/fhir/r4.ts'
import { isAmong } from '../mapping/distinct-identifiers.ts'
import type { StoredResource } from './stored.ts'

/**
 * Whether a document was replaced by one of those that say so. One that was withdrawn (T11) replaces nothing, and neither does
 * one that the document has replaced in its turn: its sender went back to it.
 * @param stored as the store has it, if it does
 */
export function isReplaced(
  said: FhirResource,
  stored: FhirResource | undefined,
  replacements: readonly StoredResource[],
): boolean {
  return replacements.some(
    (one) =>
      one.resourceType === 'DocumentReference' &&
      one.id !== stored?.id &&
      one.status !== 'entered-in-error' &&
      !replaces(said, one) &&
      !(stored !== undefined && replaces(stored, one)),
  )
}

function replaces(document: FhirResource, { identifier = [] }: DocumentReference): boolean {
  if (document.resourceType !== 'DocumentReference') return false
  const isNumber = isAmong(identifier)
  return (
    document.relatesTo?.some(
      ({ code, target }) => code === 'replaces' && target.identifier !== undefined && isNumber(target.identifier),
    ) === true
  )
}
