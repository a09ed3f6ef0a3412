/** An audit message on its way: the same bytes on every attempt, so that a repository can tell a repetition. */
export interface AuditMessage {
  /** When it happened. */
  readonly at: Date
  /** The process that it happened in. */
  readonly processId: string
  /** A DICOM AuditMessage (PS3.15 A.5) on one line. */
  readonly xml: string
}

/** What a service needs of an audit record repository (IHE ATNA, ITI-20). */
export interface AuditRepository {
  /**
   * Resolves when the repository has taken all of them; throws a fault of kind unavailable when that is not known. Then
   * all of them are sent again.
   */
  send(messages: readonly AuditMessage[], options?: { readonly signal?: AbortSignal }): Promise<void>
}
