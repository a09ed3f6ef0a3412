/** Somebody whom a message is about. */
export interface Person {
  /** Of the write of their Patient; `Patient/…` of who has what the message changes, and is not named. */
  readonly fullUrl: string
  /** Their Patient in the store, if it is there already. */
  readonly id?: string
  /** Undefined for somebody whom the patient index has never seen. */
  readonly goldenId?: string
  /** Records that were golden until they were merged into that one, as the index knows: consent is asked of them, too. */
  readonly goldenBefore?: readonly string[]
  /** Numbers of theirs belong to several golden records: somebody has to be asked which are one person. */
  readonly isDoubtful?: true
}
