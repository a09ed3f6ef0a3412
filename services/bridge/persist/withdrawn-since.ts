import type {
  Composition,
  DocumentReference,
  FhirResource,
  Observation,
  RelatedPerson,
} from '../../../packages/fhir/r4.ts'
import { isNamedAmong } from '../mapping/another-person.ts'
import { keyText } from '../mapping/keys.ts'
import type { Write } from '../mapping/mapped.ts'
import { toldAnew, unknownValue } from '../mapping/observation.ts'
import type { Stored } from './stored.ts'

/**
 * What a message that came late brings for the first time, though what it belongs to was said anew since: it is new to the store,
 * and not true any more. A booking that comes after its cancellation, or after it was moved, takes no slot; results that come
 * after their report was cancelled are cancelled, and so are not their files. The file of a result that was taken back is not told
 * of, and the text of a document is what was said since of the document: signed, or withdrawn. Whom a later message has
 * left out is no longer next of kin.
 * @param late the `fullUrl`s of what was said later
 */
export function withdrawnSince(
  writes: readonly Write[],
  stored: Stored,
  late: ReadonlySet<string>,
): (write: Write) => Write | undefined {
  if (late.size === 0) return (write) => write
  const isMoved = writes.some(({ resource, fullUrl }) => resource.resourceType === 'Appointment' && late.has(fullUrl))
  const results = new Set(writes.flatMap((write) => (late.has(write.fullUrl) ? cancelledIn(write, stored) : [])))
  const isMistake = ({ fullUrl }: Write) => late.has(fullUrl) && wasMistake(stored.get(fullUrl))
  const withoutFiles = writes.filter((write) => results.has(write.fullUrl) || isMistake(write))
  const files = new Set(withoutFiles.flatMap(({ resource }) => filesOf(resource)))
  const documents = new Map(
    writes.flatMap((write) => {
      const there = late.has(write.fullUrl) ? stored.get(write.fullUrl) : undefined
      return there?.resourceType === 'DocumentReference' ? [[keyText(write.key), there] as const] : []
    }),
  )
  const isNoLongerKin = whoAreNoLongerKin(stored, late)
  return (write) => {
    const { resource, fullUrl } = write
    if (resource.resourceType === 'RelatedPerson')
      return isNoLongerKin(resource, stored.get(fullUrl)) ? undefined : write
    if (resource.resourceType === 'Slot') return isMoved ? undefined : write
    if (resource.resourceType === 'Composition') return asDocument(write, resource, documents.get(keyText(write.key)))
    if (stored.has(fullUrl)) return write
    if (files.has(fullUrl)) return undefined
    return resource.resourceType === 'Observation' && results.has(fullUrl) ? cancelled(write, resource) : write
  }
}

/**
 * Next of kin who are out of use, and those whom the contacts of their patient, which were said since, do not name. The contacts
 * alone may have been changed by who was left out.
 */
function whoAreNoLongerKin(
  stored: Stored,
  late: ReadonlySet<string>,
): (one: RelatedPerson, before: FhirResource | undefined) => boolean {
  const byPatient = new Map<string, ReturnType<typeof isNamedAmong>>()
  return ({ patient: { reference = '' }, name, relationship }, before) => {
    const there = late.has(reference) ? stored.get(reference) : undefined
    if (there?.resourceType !== 'Patient') return false
    if (before?.resourceType === 'RelatedPerson' && before.active === false) return true
    if (there.contact === undefined || name === undefined) return false
    const isKin = byPatient.get(reference) ?? isNamedAmong(there.contact)
    byPatient.set(reference, isKin)
    return !isKin({ name: name[0], relationship })
  }
}

const wasMistake = (there: FhirResource | undefined): boolean =>
  there !== undefined && 'status' in there && there.status === 'entered-in-error'

function asDocument(write: Write, resource: Composition, document: DocumentReference | undefined): Write | undefined {
  if (document === undefined) return write
  const { docStatus } = document
  if (docStatus !== undefined) return { ...write, resource: { ...resource, status: docStatus } }
  // Told again since, and nothing of whether it is signed.
  return resource.status === 'entered-in-error' ? undefined : write
}

/** The results of a report that the store has as cancelled. */
function cancelledIn({ resource, fullUrl }: Write, stored: Stored): (string | undefined)[] {
  const there = stored.get(fullUrl)
  if (resource.resourceType !== 'DiagnosticReport' || there?.resourceType !== 'DiagnosticReport') return []
  return there.status === 'cancelled' ? (resource.result ?? []).map(({ reference }) => reference) : []
}

const filesOf = (resource: FhirResource): (string | undefined)[] =>
  resource.resourceType === 'Observation' ? (resource.derivedFrom ?? []).map(({ reference }) => reference) : []

function cancelled(write: Write, resource: Observation): Write {
  const said = Object.entries(resource).filter(([element]) => !toldAnew.includes(element))
  // Sound: a result without its value, and why it has none.
  const left = { ...Object.fromEntries(said), status: 'cancelled', dataAbsentReason: unknownValue } as Observation
  return { ...write, resource: left }
}
