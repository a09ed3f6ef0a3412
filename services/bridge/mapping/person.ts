/** Somebody whom a message is about. */
export interface Person {
  /** Of the write of their Patient. */
  readonly fullUrl: string
  /** Their Patient in the store, if it is there already. */
  readonly id?: string
  /** Undefined for somebody whom the patient index has never seen. */
  readonly goldenId?: string
  /** Numbers of theirs belong to several golden records: somebody has to be asked which are one person. */
  readonly isDoubtful?: true
}
