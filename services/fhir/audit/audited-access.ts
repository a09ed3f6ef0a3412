import type { Caller } from '../../../packages/tokens/caller.ts'

/** The interactions of R4, as http://hl7.org/fhir/restful-interaction names them. */
export type Interaction =
  | 'create'
  | 'read'
  | 'vread'
  | 'update'
  | 'patch'
  | 'delete'
  | 'search-type'
  | 'search-system'
  | 'history-instance'
  | 'history-type'
  | 'history-system'
  | 'operation'

/** One access to the record: who did what to which resources. Ids only, never what is in them. */
export interface AuditedAccess {
  readonly at: Date
  readonly interaction: Interaction
  readonly outcome: AccessOutcome
  /** Whose access it was; undefined where no token was good. */
  readonly caller: AuditedCaller | undefined
  readonly requestId: string
  /** The address of the other end of the socket; undefined for a call inside the process. */
  readonly peer?: string
  /** What was read or written, or came out of the search. */
  readonly touched: readonly TouchedResource[]
  /** What was asked: `Observation?code=…` without the base. For everything that is not about one resource. */
  readonly question?: string
  /** Why, as a code of v3-ActReason; else it follows from the caller's role. */
  readonly purpose?: string
}

export type AccessOutcome =
  | { readonly kind: 'success' }
  /** Not allowed, or nothing there. `code` is the fault's. */
  | { readonly kind: 'refused'; readonly code?: string }
  /** Our own failure. */
  | { readonly kind: 'failed'; readonly code?: string }

/** A verified caller is one; a call inside the process names its program as the client. */
export type AuditedCaller = Pick<Caller, 'clientId' | 'subject' | 'fhirUser' | 'roles' | 'patient' | 'tokenId'>

export interface TouchedResource {
  readonly type: string
  readonly id: string
  /** Undefined: the current one. */
  readonly version?: number
}
