/**
 * A fault is thrown when the caller or a dependency is wrong. A normal "no" (consent denied, duplicate, transition
 * not allowed) is a value, not a fault.
 */
export const faultKinds = [
  'incorrect',
  'unauthenticated',
  'forbidden',
  'missing',
  'conflict',
  'unprocessable',
  'too-much',
  'unavailable',
  'bug',
] as const

export type FaultKind = (typeof faultKinds)[number]

/** One wrong place in the input: a JSON pointer, FHIRPath or HL7 path, and what is wrong there. */
export interface FaultField {
  readonly path: string
  readonly message: string
}

interface FaultDetails {
  /** A stable word for programs, e.g. `CONSENT_GATE_FAILED` or `invalid_grant`. */
  readonly code?: string
  /** Every failed field, so that one answer names all of them. */
  readonly fields?: readonly FaultField[]
  /** When trying again makes sense. */
  readonly retryAfterSeconds?: number
  /** The scopes that an access token would need: RFC 6750 names them in the challenge. */
  readonly scopes?: readonly string[]
  /** For the server's log only; never part of an answer. */
  readonly logged?: string
  readonly cause?: unknown
}

export class Fault extends Error {
  readonly kind: FaultKind
  readonly code: string | undefined
  readonly fields: readonly FaultField[]
  readonly retryAfterSeconds: number | undefined
  readonly scopes: readonly string[]
  readonly logged: string | undefined

  /** @param shown what the caller may read: no patient data, no token, no internals. */
  constructor(kind: FaultKind, shown: string, details: FaultDetails = {}) {
    super(shown, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'Fault'
    this.kind = kind
    this.code = details.code
    this.fields = details.fields ?? []
    this.retryAfterSeconds = details.retryAfterSeconds
    this.scopes = details.scopes ?? []
    this.logged = details.logged
  }

  /** What the caller may read. */
  get shown(): string {
    return this.kind === 'bug'
      ? 'An unexpected error happened. It was logged; try again or ask the operator.'
      : this.message
  }
}

/** Anything thrown becomes a fault; what is not one already is a bug. */
export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown
  return new Fault('bug', thrown instanceof Error ? thrown.message : 'something that is not an error was thrown', {
    cause: thrown,
  })
}

export const incorrect = (shown: string, details?: FaultDetails) => new Fault('incorrect', shown, details)
export const unauthenticated = (shown: string, details?: FaultDetails) => new Fault('unauthenticated', shown, details)
export const forbidden = (shown: string, details?: FaultDetails) => new Fault('forbidden', shown, details)
export const missing = (shown: string, details?: FaultDetails) => new Fault('missing', shown, details)
export const conflict = (shown: string, details?: FaultDetails) => new Fault('conflict', shown, details)
export const unprocessable = (shown: string, details?: FaultDetails) => new Fault('unprocessable', shown, details)
export const tooMuch = (shown: string, details?: FaultDetails) => new Fault('too-much', shown, details)
export const unavailable = (shown: string, details?: FaultDetails) => new Fault('unavailable', shown, details)
export const bug = (logged: string, details?: FaultDetails) => new Fault('bug', logged, details)

/** A request of which these fields are wrong. */
export const invalid = (...fields: readonly FaultField[]): Fault => incorrect('The request is not valid.', { fields })

/** The end of a switch over a union; the type checker proves that it is never reached. */
export function unreachable(value: never): never {
  throw bug(`a case is missing for ${JSON.stringify(value)}`)
}

/** States what must hold; a broken claim is a bug, never a caller's mistake. */
export function assert(claim: unknown, otherwise: string): asserts claim {
  if (!claim) throw bug(otherwise)
}
