import type { SearchParameter } from '../definitions.ts'

/** What a resource is found by under one parameter. Values may repeat when the resource repeats itself. */
export interface IndexEntry {
  readonly parameter: SearchParameter
  readonly values: readonly IndexValue[]
}

export type IndexValue =
  | TokenValue
  | StringValue
  | DateValue
  | ReferenceValue
  | NumberValue
  | QuantityValue
  | UriValue
  | CompositeValue

export interface TokenValue {
  readonly kind: 'token'
  readonly system: string | undefined
  /** None for a concept that is only text. */
  readonly code: string | undefined
  /** What `:text` searches: display, text of the concept, text of the identifier's type. */
  readonly text: string | undefined
  /** For `:of-type`: the codings of the identifier's type. */
  readonly identifierTypes: readonly { readonly system: string | undefined; readonly code: string }[] | undefined
}

interface StringValue {
  readonly kind: 'string'
  /** As written, for `:exact`. */
  readonly text: string
  /** Without case and accents, for the plain search and `:contains`. */
  readonly folded: string
}

/** Milliseconds since 1970 UTC, [low, high); infinite where a period is open. */
interface DateValue {
  readonly kind: 'date'
  readonly low: number
  readonly high: number
}

export interface ReferenceValue {
  readonly kind: 'reference'
  readonly type: string | undefined
  /** Of a target with a RESTful address; the version is dropped. */
  readonly id: string | undefined
  /** Absolute address, urn or canonical address without version; none for a relative reference. */
  readonly url: string | undefined
  /** Of a canonical address. */
  readonly version: string | undefined
  readonly identifierSystem: string | undefined
  readonly identifierValue: string | undefined
}

/** `value` as written; [low, high) by its digits, or the bounds of a Range, whose value is undefined. */
export interface NumberValue {
  readonly kind: 'number'
  readonly value: number | undefined
  readonly low: number
  readonly high: number
}

export interface QuantityValue {
  readonly kind: 'quantity'
  readonly value: number | undefined
  readonly low: number
  readonly high: number
  readonly system: string | undefined
  readonly code: string | undefined
  readonly unit: string | undefined
}

interface UriValue {
  readonly kind: 'uri'
  readonly uri: string
}

/** One value a component, in their order, all of the same node. */
interface CompositeValue {
  readonly kind: 'composite'
  readonly parts: readonly IndexValue[]
}

/** Turns one selected node into index values; a node of an unexpected shape gives none. */
export type Convert = (node: unknown, into: IndexValue[]) => void
