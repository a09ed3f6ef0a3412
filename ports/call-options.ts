/** What every call of a port may be given. */
export interface CallOptions {
  /** Ends the call early, when whoever wanted the answer has gone. */
  readonly signal?: AbortSignal
}
