import type { Definitions } from '../../../../packages/fhir/definitions.ts'
import { pageBytesMax } from '../../store/within-bytes.ts'

/** What a query is read against. */
export interface ParseContext {
  readonly definitions: Definitions
  /** The addresses under which this server is known, without a slash at the end. */
  readonly ownBases: readonly string[]
  /** For `ap`: how far off a date may be depends on how long ago it is. */
  readonly now: Date
  readonly limits: SearchLimits
}

export interface SearchLimits {
  /** Entries a page where the caller says nothing. */
  readonly countDefault: number
  /** A larger `_count` is cut to this. */
  readonly countMax: number
  readonly parametersMax: number
  /** Alternatives of one parameter. */
  readonly alternativesMax: number
  /** Look-ups of a whole search: chains that name no type go through every type that they may. */
  readonly lookupsMax: number
  /** Values that the database compares with in a whole search: a bare id is one of each type that it may be of. */
  readonly valuesMax: number
  /** Steps of a chain or of nested `_has`. */
  readonly depthMax: number
  /** Bytes of a page's resources, and of those that are included beside them: a page may end before its `_count`. */
  readonly pageBytesMax: number
  /** Resources that `_include` and `_revinclude` may add to a page. */
  readonly includedMax: number
  /** Rounds of `:iterate`. */
  readonly iterationsMax: number
  /** An estimated total counts so far and no further. */
  readonly estimateMax: number
  /** Sets of shared values that a condition names; where there are more, the value is common (find-sets.ts). */
  readonly setsMax: number
}

export const searchLimits: SearchLimits = {
  countDefault: 50,
  countMax: 1_000,
  parametersMax: 64,
  alternativesMax: 1_000,
  lookupsMax: 256,
  valuesMax: 20_000,
  depthMax: 5,
  pageBytesMax,
  includedMax: 2_000,
  iterationsMax: 5,
  estimateMax: 10_000,
  setsMax: 2_000,
}
