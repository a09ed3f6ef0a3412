import type { Bundle, Resource } from '../../packages/fhir/r4.ts'
import type { CallOptions } from '../call-options.ts'

/**
 * What a service needs of the FHIR R4 server. Every call acts for one caller, whose rights the server enforces.
 *
 * Faults: `missing` is not there, `forbidden` not allowed, `conflict` with MULTIPLE_MATCHES criteria that find several
 * (do not repeat), any other `conflict` another writer (read and repeat), `incorrect` and `unprocessable` a resource that
 * will never be taken, `too-much` and `unavailable` try again later.
 */
export interface FhirStore {
  /** Undefined when there is no such resource, or none that this caller may see. */
  read<T extends Resource = Resource>(type: string, id: string, options?: CallOptions): Promise<T | undefined>
  /** The matches of one page, without what was included beside them. */
  search<T extends Resource = Resource>(
    type: string,
    parameters: SearchParameters,
    options?: CallOptions,
  ): Promise<readonly T[]>
  /** The matches of all pages, each page a call: for lists that somebody needs whole. */
  searchAll<T extends Resource = Resource>(
    type: string,
    parameters: SearchParameters,
    options?: CallOptions,
  ): Promise<readonly T[]>
  /** The searchset of one page, with what was included and its links. */
  searchBundle(type: string, parameters: SearchParameters, options?: CallOptions): Promise<Bundle>
  /**
   * What has each of these identifiers, in the order asked, at most ten resources each, with `id` and `meta.versionId`.
   * One round trip however many are asked: one statement in the same process, one batch over HTTP.
   */
  findByIdentifiers<T extends Resource = Resource>(
    identifiers: readonly SoughtIdentifier[],
    options?: CallOptions,
  ): Promise<readonly (readonly T[])[]>
  /** The resource as it was stored. */
  create<T extends Resource = Resource>(resource: T, options?: CallOptions): Promise<T>
  /** Creates it unless the criteria find one already, which is then given. */
  createUnlessFound<T extends Resource>(
    resource: T,
    criteria: SearchParameters,
    options?: CallOptions,
  ): Promise<Written<T, 'created' | 'kept'>>
  /** Replaces the resource of this id, or creates it. */
  update<T extends Resource>(
    resource: T & { readonly id: string },
    options?: UpdateOptions,
  ): Promise<Written<T, 'created' | 'updated'>>
  /** Replaces the one resource that the criteria find, or creates it. An id in the resource is not sent. */
  updateMatching<T extends Resource>(
    resource: T,
    criteria: SearchParameters,
    options?: UpdateMatchingOptions,
  ): Promise<Written<T, 'created' | 'updated'>>
  /** What is not there is not an error. */
  remove(type: string, id: string, options?: CallOptions): Promise<void>
  /** All entries or none; the response has an entry for each, with what was stored only if it was read. Ask `capabilities` first whether the server can. */
  transaction(bundle: Bundle, options?: CallOptions): Promise<Bundle>
  /** What the server says that it can do. */
  capabilities(options?: CallOptions): Promise<StoreCapabilities>
}

/** An identifier of resources of one type. */
export interface SoughtIdentifier {
  readonly type: string
  /** Undefined: whatever its system; empty: that it has none. */
  readonly system?: string
  readonly value: string
}

/** What was stored. A resource that is handed over must not be changed until its call has ended. */
export interface Written<T extends Resource, Outcome extends string> {
  readonly resource: T & { readonly id: string }
  readonly outcome: Outcome
}

export interface StoreCapabilities {
  readonly transaction: boolean
  readonly batch: boolean
  /** Types of which the server carries out `PUT Type?criteria` itself; for others the port does it in steps. */
  readonly conditionalUpdate: (type: string) => boolean
}

export type SearchParameters = Readonly<Record<string, string | readonly string[]>>

export interface UpdateOptions extends CallOptions {
  /** The version that must be current; another one is a conflict. */
  readonly version?: string
}

export interface UpdateMatchingOptions extends UpdateOptions {
  /**
   * There must be none: one that the criteria find is a conflict, and stays. A server that does not know the condition
   * (`If-None-Match: *`, which R4 does not ask for) replaces it.
   */
  readonly mustBeNew?: true
}
