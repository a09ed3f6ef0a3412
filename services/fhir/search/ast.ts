import type { SearchParameter } from '../../../packages/fhir/definitions.ts'
import type { prefixes } from '../../../packages/fhir/search/modifiers.ts'

/** A search as it was understood: what to find, and how to answer. */
export interface Search {
  /** Each with conditions of its own, since one name may mean different parameters of different types. */
  readonly branches: readonly Branch[]
  /** What one branch finds stands before what the next one does, unless something else is to be sorted by. */
  readonly inTurn?: true
  readonly includes: readonly Include[]
  readonly sort: readonly SortKey[]
  readonly count: number
  readonly total: 'none' | 'estimate' | 'accurate'
  readonly shape: Shape
  /** Where a page begins, as an earlier answer wrote it. */
  readonly cursor: string | undefined
  /** Parameters that were not understood and left out (lenient handling). */
  readonly warnings: readonly Warning[]
  /** Every pair that was understood, the cursor left out: for the links of the answer. */
  readonly understood: readonly Pair[]
}

/** A parameter of a query: its name with modifier or chain, and its value, both decoded. */
export type Pair = readonly [name: string, value: string]

/** Resources of these types for which every condition holds. */
export interface Branch {
  readonly types: readonly string[]
  readonly conditions: readonly Condition[]
}

export type Condition = Match | Missing | Chain | Has | Compartment | Changed | CareDates

/** The resource has a value under the parameter that is one of the sought; negated: it has none such. */
export interface Match {
  readonly kind: 'match'
  readonly parameter: SearchParameter
  readonly negated: boolean
  readonly anyOf: readonly Sought[]
}

export interface Missing {
  readonly kind: 'missing'
  readonly parameter: SearchParameter
  readonly isMissing: boolean
}

/** The resource refers to one of a target type for which the condition of that type holds. */
export interface Chain {
  readonly kind: 'chain'
  readonly parameter: SearchParameter
  readonly targets: readonly { readonly type: string; readonly condition: Condition }[]
}

/** A resource of the source type refers to this one under the parameter, and the condition holds for it. */
export interface Has {
  readonly kind: 'has'
  readonly source: string
  readonly parameter: SearchParameter
  readonly condition: Condition
}

/** The resource belongs to the compartment of this owner. */
export interface Compartment {
  readonly kind: 'compartment'
  readonly compartment: string
  readonly id: string
}

/** `$everything` with `_since`: changed at this instant or later. */
interface Changed {
  readonly kind: 'changed'
  readonly sinceMs: number
}

/** `$everything` with `start` and `end`: the care it tells of overlaps with this time, or has no date at all. */
export interface CareDates {
  readonly kind: 'care-dates'
  readonly lowMs: number
  readonly highMs: number
}

export type Prefix = (typeof prefixes)[number]

export type Sought =
  | SoughtToken
  | { readonly kind: 'token-text'; readonly folded: string }
  | { readonly kind: 'token-of-type'; readonly system: string; readonly code: string; readonly value: string }
  | SoughtCodes
  | { readonly kind: 'string'; readonly how: 'starts' | 'contains' | 'exact'; readonly text: string }
  | SoughtDate
  | SoughtNumber
  | SoughtQuantity
  | SoughtReference
  | { readonly kind: 'reference-identifier'; readonly identifier: SoughtToken }
  | { readonly kind: 'uri'; readonly how: 'is' | 'below' | 'above'; readonly uri: string }
  | SoughtComposite

export interface SoughtToken {
  readonly kind: 'token'
  /** Undefined: any or none; empty: none. */
  readonly system: string | undefined
  /** Undefined: any code of the system. */
  readonly code: string | undefined
}

/** Codes that only a terminology knows: those of a value set, or those below or above one code. */
export interface SoughtCodes {
  readonly kind: 'codes'
  readonly relation: 'in' | 'below' | 'above'
  /** The address of the value set, or `system|code`. */
  readonly of: string
}

/** Milliseconds since 1970 UTC, from `low` up to but not including `high`. */
export interface SoughtDate {
  readonly kind: 'date'
  readonly prefix: Prefix
  readonly low: number
  readonly high: number
}

/** `value` as written; `low` and `high` by its digits, or by a tenth for `ap`. */
export interface SoughtNumber {
  readonly kind: 'number'
  readonly prefix: Prefix
  readonly value: number
  readonly low: number
  readonly high: number
}

export interface SoughtQuantity {
  readonly kind: 'quantity'
  readonly number: SoughtNumber
  readonly system: string | undefined
  readonly code: string | undefined
}

export interface SoughtReference {
  readonly kind: 'reference'
  /** Undefined: of any type. */
  readonly type: string | undefined
  readonly id: string | undefined
  /** Of a target on another server, or a canonical address. */
  readonly url: string | undefined
  readonly version: string | undefined
  /** Of a resource of ours, where the parameter holds canonical addresses: such a one is indexed as it is written. */
  readonly canonical?: string
}

/** One a component, in their order. */
export interface SoughtComposite {
  readonly kind: 'composite'
  readonly parts: readonly Sought[]
}

export interface Include {
  readonly direction: 'forward' | 'reverse'
  /** The type that holds the reference; undefined: any. */
  readonly source: string | undefined
  /** Undefined: every reference. */
  readonly parameter: string | undefined
  /** Undefined: of any type. */
  readonly target: string | undefined
  /** Also for what was included. */
  readonly iterate: boolean
}

export interface SortKey {
  readonly code: string
  readonly parameter: SearchParameter
  readonly descending: boolean
  /** Everything that is sorted has a value for it. */
  readonly isPresent?: true
}

/** How much of each resource is answered. */
export type Shape =
  | { readonly kind: 'whole' }
  | { readonly kind: 'count' }
  | { readonly kind: 'summary'; readonly of: 'true' | 'text' | 'data' }
  | { readonly kind: 'elements'; readonly names: readonly string[] }

export interface Warning {
  readonly parameter: string
  readonly message: string
}
