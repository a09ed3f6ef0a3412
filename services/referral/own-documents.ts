import { beforeAbort } from '../../packages/clock/before-abort.ts'
import { faultOf } from '../../packages/faults/fault.ts'
import { createOwnersOf } from '../../packages/fhir/compartment.ts'
import type { Definitions } from '../../packages/fhir/definitions.ts'
import type { Resource } from '../../packages/fhir/r4.ts'
import type { Log } from '../../packages/log/log.ts'
import type { FhirStore } from '../../ports/fhir-store/fhir-store.ts'
import type { Referral } from './referral.ts'

/** Whose a document is that a referral takes along. */
export interface DocumentCheck {
  readonly reference: string
  /** What the store does not have is nobody's, and says nothing of anybody. */
  readonly outcome: 'PERMITTED' | 'NOT_FOUND' | 'REFUSED' | 'UNVERIFIED'
}

interface Enclosed extends Pick<Referral, 'patientId' | 'supportingInfo'> {
  /** Under which the patient was known before they were merged; the store may not have caught up with it. */
  readonly formerIds?: readonly string[]
}

/** One answer a document that this platform keeps; what lies elsewhere is not ours to read. Never throws. */
export type OwnDocuments = (enclosed: Enclosed, signal: AbortSignal) => Promise<DocumentCheck[]>

interface OwnDocumentsDeps {
  /** With the rights of the service: who sends may not be able to read what is another patient's. */
  readonly store: Pick<FhirStore, 'search'>
  /** The address of that store, without a slash at its end. */
  readonly fhirUrl: string
  readonly definitions: Definitions
  readonly log: Log
}

/** Asks the store whose the documents are, one search a type and all at once. */
export function ownDocuments({ store, fhirUrl, definitions, log }: OwnDocumentsDeps): OwnDocuments {
  const isOf = documentOf(fhirUrl, definitions)
  const outcomeOf = (document: Resource | undefined, patientIds: readonly string[]): DocumentCheck['outcome'] =>
    document === undefined ? 'NOT_FOUND' : patientIds.some((id) => isOf(document, id)) ? 'PERMITTED' : 'REFUSED'
  const checkType = async (
    [type, documents]: readonly [string, readonly Kept[]],
    patientIds: readonly string[],
    signal: AbortSignal,
  ): Promise<DocumentCheck[]> => {
    const ids = [...new Set(documents.map(({ id }) => id))]
    const search = { _id: ids.join(','), _count: String(ids.length) }
    try {
      const found = new Map(
        (await beforeAbort(store.search(type, search, { signal }), signal)).map((one) => [one.id, one]),
      )
      return documents.map(({ reference, id }) => ({ reference, outcome: outcomeOf(found.get(id), patientIds) }))
    } catch (thrown) {
      logUnverified(thrown, log)
      return documents.map(({ reference }) => ({ reference, outcome: 'UNVERIFIED' }))
    }
  }
  return async ({ patientId, formerIds = [], supportingInfo }, signal) => {
    const kept = [...new Set(supportingInfo)].flatMap((reference) => keptAt(reference, fhirUrl) ?? [])
    const types = Map.groupBy(kept, ({ type }) => type)
    const checks = await Promise.all([...types].map((ofType) => checkType(ofType, [patientId, ...formerIds], signal)))
    return checks.flat()
  }
}

function logUnverified(thrown: unknown, log: Log): void {
  const { kind, message, logged } = faultOf(thrown)
  log.warn('documents could not be verified', {
    dependency: 'fhir',
    faultKind: kind,
    // The message of what is no fault of ours could quote the answer.
    ...(kind === 'bug' ? {} : { error: logged ?? message }),
  })
}

/** Whether a document is about this patient and nobody else. */
function documentOf(fhirUrl: string, definitions: Definitions) {
  const ownersOf = createOwnersOf('Patient', definitions, { ownBases: [fhirUrl] })
  return (document: Resource, patientId: string): boolean => {
    const subject = subjectOf(document)
    // Who wrote it or took part is in the compartment, too: where a subject is named, it alone counts.
    if (subject !== undefined) return relative(subject, fhirUrl) === patientId
    const owners = ownersOf(document)
    if (owners.length > 0) return owners.includes(patientId.replace(/^Patient\//, ''))
    // A questionnaire is nobody's; a report that names nobody may be anybody's.
    return definitions.compartmentParameters('Patient', document.resourceType).length === 0
  }
}

function subjectOf(document: Resource): string | undefined {
  // Sound: where a type has these elements, they are references.
  const { subject, patient } = document as Partial<Record<'subject' | 'patient', { readonly reference?: unknown }>>
  const reference = subject?.reference ?? patient?.reference
  return typeof reference === 'string' ? reference : undefined
}

interface Kept {
  /** As the referral has it. */
  readonly reference: string
  readonly type: string
  readonly id: string
}

function keptAt(reference: string, fhirUrl: string): Kept | undefined {
  const [, type, id] = /^([A-Z][A-Za-z]+)\/([A-Za-z0-9.-]{1,64})$/.exec(relative(reference, fhirUrl)) ?? []
  return type === undefined || id === undefined ? undefined : { reference, type, id }
}

/** Below the store's own address, and without a version. */
function relative(reference: string, fhirUrl: string): string {
  const path = reference.startsWith(`${fhirUrl}/`) ? reference.slice(fhirUrl.length + 1) : reference
  return path.split('/_history/', 1).join()
}
