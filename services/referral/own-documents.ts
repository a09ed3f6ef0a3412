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
  readonly store: Pick<FhirStore, 'searchAll'>
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
        (await beforeAbort(store.searchAll(type, search, { signal }), signal)).map((one) => [one.id, one]),
      )
      return documents.map(({ reference, id }) => ({ reference, outcome: outcomeOf(found.get(id), patientIds) }))
    } catch (thrown) {
      logUnverified(thrown, log)
      return documents.map(({ reference }) => ({ reference, outcome: 'UNVERIFIED' }))
    }
  }
  return async ({ patientId, formerIds = [], supportingInfo }, signal) => {
    const own = [...new Set(supportingInfo)].flatMap((reference) => ownAt(reference, fhirUrl) ?? [])
    const types = Map.groupBy(own.filter(isKept), ({ type }) => type)
    const checks = await Promise.all([...types].map((ofType) => checkType(ofType, [patientId, ...formerIds], signal)))
    // A search or an operation at our own address can answer with anybody.
    const others = own
      .filter((one) => !isKept(one))
      .map(({ reference }) => ({ reference, outcome: 'REFUSED' as const }))
    return [...checks.flat(), ...others]
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
    const subjects = subjectsOf(document)
    // Who wrote it or took part is in the compartment, too: where a subject is named, it alone counts.
    if (subjects.length > 0) return subjects.every((subject) => relative(subject, fhirUrl) === patientId)
    const owners = ownersOf(document)
    if (owners.length > 0) return owners.includes(patientId.replace(/^Patient\//, ''))
    // A questionnaire is nobody's; a report or a scan that names nobody may be anybody's.
    const { resourceType } = document
    return !envelopes.has(resourceType) && definitions.compartmentParameters('Patient', resourceType).length === 0
  }
}

/** In no compartment, and yet what they hold is about somebody. */
const envelopes: ReadonlySet<string> = new Set(['Binary', 'Bundle'])

/** Whom it says it is about: a scan by whose rules it is read, a document by what stands first in it. */
function subjectsOf(document: Resource): readonly string[] {
  // Sound: where a type has these elements, they are references, and what a bundle has are entries.
  const { type, entry, ...said } = document as Partial<Record<(typeof elements)[number], Named | readonly Named[]>> & {
    readonly type?: unknown
    readonly entry?: readonly { readonly resource?: Resource }[]
  }
  if (document.resourceType === 'Bundle') {
    const first = type === 'document' ? entry?.[0]?.resource : undefined
    return first?.resourceType === 'Composition' ? subjectsOf(first) : []
  }
  const named = elements.map((element) => said[element]).find((found) => found !== undefined)
  return [named ?? []].flat().flatMap(({ reference }) => (typeof reference === 'string' ? [reference] : []))
}

interface Named {
  readonly reference?: unknown
}

const elements = ['subject', 'patient', 'for', 'securityContext'] as const

/** What lies at the store's own address. */
interface Own {
  /** As the referral has it. */
  readonly reference: string
  readonly type: string | undefined
  readonly id: string | undefined
}

interface Kept extends Own {
  readonly type: string
  readonly id: string
}

const isKept = (own: Own): own is Kept => own.type !== undefined && own.id !== undefined

function ownAt(reference: string, fhirUrl: string): Own | undefined {
  const path = ownPath(reference, fhirUrl)
  if (path === undefined) return undefined
  const [, type, id] = /^([A-Z][A-Za-z]+)\/([A-Za-z0-9.-]{1,64})$/.exec(path) ?? []
  return { reference, type, id }
}

const relative = (reference: string, fhirUrl: string): string => ownPath(reference, fhirUrl) ?? reference

/** Below the store's own address, however that is spelt, and without a version; undefined for what lies elsewhere. */
function ownPath(reference: string, fhirUrl: string): string | undefined {
  const base = new URL(`${fhirUrl}/`)
  const found = URL.parse(reference, base.href)
  if (found === null || hostOf(found) !== hostOf(base)) return undefined
  const spelt = spelledOut(found)
  // What cannot be read may be anything of ours: an empty path names nothing.
  if (spelt === undefined) return ''
  const own = spelledOut(base) ?? base.pathname
  if (!spelt.startsWith(own)) return undefined
  const path = spelt.slice(own.length) + found.search
  return path.split('/_history/', 1).join()
}

/** With the root of all names at its end a name is the same. */
const hostOf = ({ hostname, port }: URL): string => `${hostname.replace(/\.$/, '')}:${port}`

/**
 * The path as a server reads it: `%66hir` is `fhir`, and dots that show only then lead upwards, too. Of several slashes the
 * proxies before it make one.
 */
function spelledOut(found: URL): string | undefined {
  const read = new URL(found)
  try {
    read.pathname = decodeURIComponent(found.pathname)
  } catch {
    return undefined
  }
  return read.pathname.replaceAll(/\/{2,}/g, '/')
}
