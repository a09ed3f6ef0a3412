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
  /** By the numbers that they replace. */
  readonly #byReplaced: ReadonlyMap<string, readonly DocumentAfter[]>

  constructor(documents: readonly DocumentAfter[], base: string) {
    this.documents = documents
    this.#base = base
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

  /** Of two that replace each other, the sender went back to the one that holds; where neither says so, to what was said later. */
  #hasGoneBack({ now: one }: DocumentAfter, { now: other }: DocumentAfter): boolean {
    const numbers = new Set(numbersOf(other))
    if (!replacedBy(one).some((number) => numbers.has(number))) return false
    if (one.status !== other.status) return one.status === 'current'
    const [said = '', before = ''] = [saidAtOf(one, this.#base), saidAtOf(other, this.#base)]
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
