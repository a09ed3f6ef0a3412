import type { DocumentReference, FhirResource } from '../../../packages/fhir/r4.ts'
import type { Key } from '../mapping/mapped.ts'

/** What the store has, by the `fullUrl` of the write that it was found for. */
export interface Stored extends ReadonlyMap<string, StoredResource> {
  /** The records that were merged away, where the one that stayed was found in their place. */
  readonly replaced?: ReadonlyMap<string, StoredResource>
  /** Numbers of a write that something else has (`same-thing.ts`). */
  readonly taken?: ReadonlyMap<string, readonly TakenNumber[]>
  /** Writes of which another patient's has the number: a visit or an order that is only mentioned, a specimen or a result. */
  readonly anothers?: ReadonlySet<string>
  /** Writes of a visit or an account that get what another patient has, too: the number, or the account (`shared-with-another.ts`). */
  readonly shared?: ReadonlySet<string>
  /** Writes that make of another patient's what is their patient's, by an event that says nothing of a move. */
  readonly moved?: ReadonlySet<string>
  /** Writes of records that are merged into another than before. */
  readonly mergedAgain?: ReadonlySet<string>
  /** Writes of records that had gone into one that goes into them now: the merge was the wrong way round. */
  readonly standsAgain?: ReadonlySet<string>
  /** Documents that replace those of the message or that those replace, as `Type/id`; none of them another patient's. */
  readonly chain?: ReadonlyMap<string, StoredDocument>
}

export type StoredResource = FhirResource & { readonly id: string }
export type StoredDocument = DocumentReference & { readonly id: string }

export const isDocument = (one: StoredResource): one is StoredDocument => one.resourceType === 'DocumentReference'

/** `Type/id` */
export const referenceTo = ({ resourceType, id }: StoredResource): string => `${resourceType}/${id}`

/** A number of a write that something else has. */
export interface TakenNumber extends Key {
  /** Nothing says that the other is another one: it may be the same, told of twice. */
  readonly isDoubtful: boolean
}

/** What is stored, and what else was found. */
export const alsoStored = (stored: Stored, further: Iterable<readonly [string, StoredResource]> | Stored): Stored =>
  Object.assign(new Map([...stored, ...further]), {
    replaced: joined(stored.replaced, 'replaced' in further ? further.replaced : undefined),
    taken: joined(stored.taken, 'taken' in further ? further.taken : undefined),
    chain: joined(stored.chain, 'chain' in further ? further.chain : undefined),
    anothers: new Set([
      ...[...(stored.anothers ?? [])].filter((fullUrl) => !('has' in further && further.has(fullUrl))),
      ...(('anothers' in further && further.anothers) || []),
    ]),
    shared: new Set([...(stored.shared ?? []), ...(('shared' in further && further.shared) || [])]),
    mergedAgain: new Set([...(stored.mergedAgain ?? []), ...(('mergedAgain' in further && further.mergedAgain) || [])]),
    standsAgain: new Set([...(stored.standsAgain ?? []), ...(('standsAgain' in further && further.standsAgain) || [])]),
    moved: new Set([...(stored.moved ?? []), ...(('moved' in further && further.moved) || [])]),
  })

const joined = <Value>(one: ReadonlyMap<string, Value> = new Map(), other: ReadonlyMap<string, Value> = new Map()) =>
  new Map([...one, ...other])
