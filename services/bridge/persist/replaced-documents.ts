import type { DocumentReference, FhirResource } from '../../../packages/fhir/r4.ts'
import { identifierKey, keyText } from '../mapping/keys.ts'
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
export function changedStandings(planned: Planned, stored: Stored, said: SaidOfDocuments): readonly ChangedStanding[] {
  const chain = new Chain(documentsAfter(planned, stored), said)
  return chain.documents.flatMap((one) => {
    const status = chain.statusOf(one)
    if (status === one.now.status) return []
    const { place, now, before } = one
    return [{ place, resource: { ...now, status }, ...(before === undefined ? {} : { before }) }]
  })
}

interface SaidOfDocuments {
  /** Where those stand of which the message says what they replace. */
  readonly replacing: ReadonlySet<string>
  /** Where those stand that were told of since. */
  readonly late: ReadonlySet<string>
  readonly base: string
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
  readonly #said: SaidOfDocuments
  /** By the numbers that they replace. */
  readonly #byReplaced: ReadonlyMap<string, readonly DocumentAfter[]>

  constructor(documents: readonly DocumentAfter[], said: SaidOfDocuments) {
    this.documents = documents
    this.#said = said
    const pairs = documents.flatMap((one) => replacedBy(one.now).map((number) => ({ number, one })))
    const groups = Map.groupBy(pairs, ({ number }) => number)
    this.#byReplaced = new Map([...groups].map(([number, group]) => [number, group.map(({ one }) => one)]))
  }

  statusOf(one: DocumentAfter): DocumentReference['status'] {
    const { status } = one.now
    if (status === 'entered-in-error') return status
    if (this.#isReplaced(one)) return 'superseded'
    const isKnown = status === 'current' || isObsolete(one.now) || this.#replacing(one).length === 0
    return isKnown ? status : 'current'
  }

  /** Goes to each document once, by whichever way: among many that replace one another there are more ways than can be gone. */
  #isReplaced(one: DocumentAfter, seen = new Set<DocumentAfter>()): boolean {
    seen.add(one)
    return this.#replacing(one).some(
      (other) =>
        !seen.has(other) &&
        !this.#hasGoneBack(one, other) &&
        (other.now.status !== 'entered-in-error' || this.#isReplaced(other, seen)),
    )
  }

  #replacing(one: DocumentAfter): DocumentAfter[] {
    const others = new Set(numbersOf(one.now).flatMap((number) => this.#byReplaced.get(number) ?? []))
    others.delete(one)
    return [...others]
  }

  /**
   * Of two that replace each other, the sender goes back to the one of which the message says so, unless the other was told of
   * since. Where it says neither, or both were told of since, they went back to the one that holds, or that was told of later.
   */
  #hasGoneBack(one: DocumentAfter, other: DocumentAfter): boolean {
    const { replacing, late, base } = this.#said
    const numbers = new Set(numbersOf(other.now))
    if (!replacedBy(one.now).some((number) => numbers.has(number))) return false
    const areLate = late.has(one.place) && late.has(other.place)
    if (replacing.has(one.place) && !areLate) return !late.has(other.place)
    if (replacing.has(other.place) && !areLate) return late.has(one.place)
    if (one.now.status !== other.now.status) return one.now.status === 'current'
    const [said = '', before = ''] = [saidAtOf(one.now, base), saidAtOf(other.now, base)]
    return Date.parse(said) > Date.parse(before)
  }
}

const replacedBy = ({ relatesTo = [] }: DocumentReference): string[] =>
  relatesTo.flatMap(({ code, target: { identifier } }) =>
    code === 'replaces' && identifier !== undefined ? [keyText(identifierKey(identifier))] : [],
  )

const numbersOf = ({ identifier = [] }: DocumentReference): string[] =>
  identifier.map((number) => keyText(identifierKey(number)))

const isObsolete = ({ extension = [] }: DocumentReference): boolean =>
  extension.some(({ url, valueCoding }) => url.endsWith('/document-availability') && valueCoding?.code === 'OB')
