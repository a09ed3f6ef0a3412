/** The kinds of index rows, one table each, in the order of `resources.index_hashes`. Append only. */
export const indexKinds = [
  'tokens',
  'strings',
  'dates',
  'reference_values',
  'quantities',
  'uris',
  'composites',
  'compartments',
] as const

export type IndexKind = (typeof indexKinds)[number]
