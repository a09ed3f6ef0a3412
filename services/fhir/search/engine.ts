import type { Queryable } from '../../../packages/sql/queryable.ts'
import type { Statement } from '../../../packages/sql/sql.ts'
import type { AccessConditions } from '../scopes/access.ts'
import type { Key } from '../store/keys.ts'

/** What the interactions need of search. Faults are thrown for what cannot be searched. */
export interface SearchEngine {
  /** One page of a search, as `GET [base]/Type?query` asks for it. */
  search(request: SearchRequest, on: Queryable): Promise<SearchPage>
  /** At most `limit` current resources of the type that match all criteria: for conditional interactions. */
  matches(request: MatchRequest, on: Queryable): Promise<MatchedVersion[]>
  /**
   * The SQL condition that the row `r` of `fhir.resources`, known to be of this type, is found by the query. For
   * granular scopes.
   */
  condition(type: string, query: string): Statement
}

export interface SearchRequest {
  /** Undefined: all types (`_type` may name some). */
  readonly type: string | undefined
  /** `Patient/1/Observation?…`: only what is in this compartment. */
  readonly compartment?: { readonly type: string; readonly id: string }
  /** `$everything` of this patient: the patient and all that is in its compartment or is referred to from there. */
  readonly everythingOf?: string
  /** Without the question mark, as sent; of a POST the form, behind the address's own. */
  readonly query: string
  readonly access: AccessConditions
  /** Unknown parameters are an error (`Prefer: handling=strict`), else a warning. */
  readonly isStrict: boolean
  /** The address that links begin with, such as `http://localhost:8080/fhir`. */
  readonly base: string
}

export interface SearchPage {
  readonly entries: readonly SearchEntry[]
  /** Undefined where it was not counted. */
  readonly total: number | undefined
  readonly links: readonly { readonly relation: string; readonly url: string }[]
  /** What was not understood and left out; they become an entry of mode `outcome`. */
  readonly warnings: readonly string[]
}

interface SearchEntry {
  readonly type: string
  readonly id: string
  /** The JSON of the resource, already cut to `_summary` or `_elements` where that was asked. */
  readonly content: string
  readonly mode: 'match' | 'include'
}

export interface MatchRequest {
  readonly type: string
  /** Without the question mark, as sent. */
  readonly query: string
  readonly access: AccessConditions
  readonly limit: number
}

export interface MatchedVersion {
  readonly key: Key
  readonly id: string
  readonly version: number
}
