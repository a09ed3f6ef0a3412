/** The shape of the content that comes with Corridor: what is common is left out, so that it stays small. */
export interface ShippedContent {
  readonly codeSystems: readonly ShippedCodeSystem[]
  readonly valueSets: readonly ShippedValueSet[]
  readonly conceptMaps: readonly ShippedConceptMap[]
}

export interface ShippedCodeSystem {
  readonly url: string
  readonly name: string
  readonly title?: string
  readonly version?: string
  readonly copyright?: string
  /** Absent: complete. A code that a fragment lacks may still be a good one. */
  readonly content?: 'fragment'
  readonly concepts: readonly ShippedConcept[]
}

/** Code, display, and the codes above it in the hierarchy. */
export type ShippedConcept = readonly [code: string, display?: string | null, ...parents: string[]]

export interface ShippedValueSet {
  readonly url: string
  readonly name: string
  readonly title?: string
  readonly version?: string
  /** An expansion of which only a part is here: codes that it does not name may be in the set, too. */
  readonly isPart?: boolean
  readonly include: readonly Inclusion[]
  readonly exclude?: readonly Inclusion[]
}

/** What a value set takes from a code system: the codes named, those below the codes named, or all. */
export interface Inclusion {
  readonly system?: string
  /** Of the code system; absent: whichever is there. */
  readonly version?: string
  readonly codes?: readonly ShippedConcept[]
  readonly below?: readonly { readonly code: string; readonly isSelfIn: boolean }[]
  /** Only what is in each of these value sets too: their addresses, with the version behind `|` where one is meant. */
  readonly valueSets?: readonly string[]
}

export interface ShippedConceptMap {
  readonly url: string
  readonly name: string
  readonly version?: string
  /** The value sets that it maps between, by address. */
  readonly source?: string
  readonly target?: string
  readonly groups: readonly {
    readonly source: string
    readonly target: string
    readonly pairs: readonly MappedPair[]
  }[]
}

export type MappedPair = readonly [source: string, target: string, equivalence?: Equivalence, targetDisplay?: string]

/** From the source to the target, R4 words; absent means `equivalent`. */
export type Equivalence =
  | 'relatedto'
  | 'equivalent'
  | 'equal'
  | 'wider'
  | 'subsumes'
  | 'narrower'
  | 'specializes'
  | 'inexact'
  | 'unmatched'
  | 'disjoint'
