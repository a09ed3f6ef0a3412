import type { DocumentReference, FhirResource } from '../../../packages/fhir/r4.ts'
import { isAmong } from '../mapping/distinct-identifiers.ts'
import { saidAtOf } from './stale.ts'
import { isDocument, referenceTo, type Stored, type StoredDocument } from './stored.ts'

/** A document whose status changes because of what becomes of others. */
export interface ChangedStanding {
  /** `Type/id`, or the `fullUrl` of what is new. */
  readonly place: string
  readonly resource: DocumentReference
  readonly before?: StoredDocument
}

/**
 * Whether a document is the current one is no matter of which message came last: it is superseded while one that replaces it
 * holds, or is replaced in its turn by one that holds. One that was withdrawn (T11) holds no longer: what it had replaced is
 * current again, unless its sender has said of itself that it is obsolete (TXA-19). What nothing is known to replace stays
 * as it is.
 */
export function changedStandings(planned: Planned, stored: Stored, base: string): readonly ChangedStanding[] {
  const chain = new Chain(documentsAfter(planned, stored), base)
  return chain.documents.flatMap((one) => {
    const status = chain.statusOf(one)
    if (status === one.now.status) return []
    const { place, now, before } = one
    return [{ place, resource: { ...now, status }, ...(before === undefined ? {} : { before }) }]
  })
}

/** What is to be written, by where it stands. */
type Planned = ReadonlyMap<string, { readonly resource: FhirResource }>

interface DocumentAfter {
  readonly place: string
  /** As the message leaves it. */
  readonly now: DocumentReference
  readonly before?: StoredDocument
}

function documentsAfter(planned: Planned, stored: Stored): DocumentAfter[] {
  const known = [...[...stored.values()].filter(isDocument), ...(stored.chain?.values() ?? [])]
  const documents = new Map<string, DocumentAfter>(
    known.map((before) => [referenceTo(before), { place: referenceTo(before), now: before, before }]),
  )
  for (const [place, { resource }] of planned) {
    const before = documents.get(place)?.before
    if (resource.resourceType === 'DocumentReference')
      documents.set(place, { place, now: resource, ...(before === undefined ? {} : { before }) })
  }
  return [...documents.values()]
}

class Chain {
  readonly documents: readonly DocumentAfter[]
  readonly #base: string

  constructor(documents: readonly DocumentAfter[], base: string) {
    this.documents = documents
    this.#base = base
  }

  statusOf(one: DocumentAfter): DocumentReference['status'] {
    const { status } = one.now
    if (status === 'entered-in-error') return status
    if (this.#isReplaced(one, [])) return 'superseded'
    const isKnown = status === 'current' || isObsolete(one.now) || !this.#replacing(one).some(() => true)
    return isKnown ? status : 'current'
  }

  #isReplaced(one: DocumentAfter, way: readonly DocumentAfter[]): boolean {
    return this.#replacing(one).some(
      (other) =>
        !way.includes(other) &&
        !this.#hasGoneBack(one, other) &&
        (other.now.status !== 'entered-in-error' || this.#isReplaced(other, [...way, one])),
    )
  }

  #replacing({ place, now }: DocumentAfter): DocumentAfter[] {
    return this.documents.filter((other) => other.place !== place && replaces(other.now, now))
  }

  /** Of two that replace each other, the sender went back to the one that holds; where neither says so, to what was said later. */
  #hasGoneBack({ now: one }: DocumentAfter, { now: other }: DocumentAfter): boolean {
    if (!replaces(one, other)) return false
    if (one.status !== other.status) return one.status === 'current'
    const [said = '', before = ''] = [saidAtOf(one, this.#base), saidAtOf(other, this.#base)]
    return Date.parse(said) > Date.parse(before)
  }
}

function replaces({ relatesTo = [] }: DocumentReference, { identifier = [] }: DocumentReference): boolean {
  const isNumber = isAmong(identifier)
  return relatesTo.some(
    ({ code, target }) => code === 'replaces' && target.identifier !== undefined && isNumber(target.identifier),
  )
}

const isObsolete = ({ extension = [] }: DocumentReference): boolean =>
  extension.some(({ url, valueCoding }) => url.endsWith('/document-availability') && valueCoding?.code === 'OB')
