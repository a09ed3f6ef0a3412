/** What two people are compared by. */
export type Field = 'family' | 'given' | 'birthDate' | 'sex' | 'nationalId' | 'recordId' | 'phone' | 'postcode'

/** `partly` also stands for what is nearly the same: a slip, a part of a name, a date without its day. */
type Agreement = 'agrees' | 'partly' | 'contradicts'

/** A field that says nothing (one side has no value) has no comparison. */
export interface Comparison {
  readonly field: Field
  readonly agreement: Agreement
  /** log2 of how much likelier this is for one person than for two strangers. */
  readonly bits: number
  /** Beside what they share, each says something that the other does not, as siblings do: never certain. */
  readonly isMixed?: true
}
