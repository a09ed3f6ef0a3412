import type { FhirResource } from '../../../packages/fhir/r4.ts'
import { valueAt } from './element-path.ts'
import type { Write } from './mapped.ts'
import { survivorReference } from './patient-links.ts'

/**
 * What was taken back (an allergy whose IAM-6 was D) and is told again is so no longer. Its segment says nothing of the
 * status: the stored one goes, and the default counts as it does for what is told for the first time. So it is with a document
 * that was withdrawn (T11), with a visit or an account that was merged into another, when it is no longer a part of that, with a person
 * who was deleted (A29), and with next of kin who were left out (NK1).
 */
export function mistakeTakenBy(
  { mode, resource, deletes, isAddition, isMention }: Write,
  stored: FhirResource,
): readonly string[] {
  if (mode !== 'upsert' || isAddition === true || isMention === true) return nothing
  if (resource.resourceType === 'Patient') return isDeleted(stored) ? ofPerson : nothing
  if (resource.resourceType === 'RelatedPerson') return ofPerson
  if (resource.resourceType === 'Account')
    return deletes.includes('partOf') && isPartOf(stored) ? status.element : nothing
  if (resource.resourceType === 'Encounter' && !deletes.includes('partOf')) return nothing
  const found = Object.hasOwn(statusOf, resource.resourceType) ? statusOf[resource.resourceType] : undefined
  if (found === undefined || valueAt(stored, found.path) !== 'entered-in-error') return nothing
  return found.element
}

/** Who was merged into another is out of use for good: what is said of them is said of the other. */
const isDeleted = (stored: FhirResource): boolean =>
  stored.resourceType === 'Patient' && stored.active === false && survivorReference(stored) === undefined

const isPartOf = (stored: FhirResource): boolean => stored.resourceType === 'Account' && stored.partOf !== undefined

const nothing: readonly string[] = []
const ofPerson: readonly string[] = ['active']
const verification = { element: ['verificationStatus'], path: 'verificationStatus.coding.0.code' } as const
const status = { element: ['status'], path: 'status' } as const
const ofDocument = { element: ['status', 'docStatus'], path: 'status' } as const

const statusOf: Readonly<Record<string, typeof verification | typeof status | typeof ofDocument>> = {
  AllergyIntolerance: verification,
  Condition: verification,
  Procedure: status,
  Immunization: status,
  Observation: status,
  Encounter: status,
  DocumentReference: ofDocument,
  Composition: status,
}
