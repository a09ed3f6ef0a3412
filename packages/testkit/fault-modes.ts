/** What a fault proxy does with its connections, those it has and those to come. */
export type FaultMode =
  | { readonly kind: 'pass' }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang' }
  | { readonly kind: 'slow'; readonly delayMs: number; readonly bytesPerSecond: number }
  | { readonly kind: 'half-open' }
  | { readonly kind: 'cut-after'; readonly bytes: number; readonly of: 'request' | 'answer' }
  | { readonly kind: 'cut-response' }
  | { readonly kind: 'lose-response' }
  | { readonly kind: 'http'; readonly httpStatus: number; readonly contentType: string; readonly body: string }

/** Everything through, as if the proxy were not there. */
export const pass: FaultMode = { kind: 'pass' }

/** The port is closed: connections are refused. */
export const refuse: FaultMode = { kind: 'refuse' }

/** Every connection is accepted and reset at once. */
export const reset: FaultMode = { kind: 'reset' }

/** Every connection is accepted, all it sends is taken, and nothing is ever answered or passed on. */
export const hang: FaultMode = { kind: 'hang' }

/** Each piece waits before it goes on, then goes at this pace, in both directions. */
export const slow = (pace: { delayMs?: number; bytesPerSecond?: number }): FaultMode => ({
  kind: 'slow',
  delayMs: pace.delayMs ?? 0,
  bytesPerSecond: pace.bytesPerSecond ?? Number.POSITIVE_INFINITY,
})

/** The connection to the dependency is cut; the client's stays open, unanswered, and does not learn of it. */
export const halfOpen: FaultMode = { kind: 'half-open' }

/** A connection ends when this many bytes of the answer (or of the request) have gone through it. */
export const cutAfter = (bytes: number, of: 'request' | 'answer' = 'answer'): FaultMode => ({
  kind: 'cut-after',
  bytes,
  of,
})

/** The dependency gets the request and does its work; the connection is reset in place of the answer. */
export const cutResponse: FaultMode = { kind: 'cut-response' }

/** The dependency gets the request and does its work; its answer never arrives. */
export const loseResponse: FaultMode = { kind: 'lose-response' }

/** Every HTTP request gets this status and the dependency sees none of them; open connections are reset. */
export const status = (httpStatus: number, body = '{"title":"broken on purpose"}'): FaultMode => ({
  kind: 'http',
  httpStatus,
  contentType: 'application/problem+json',
  body,
})

/** Every HTTP request succeeds with a body that calls itself JSON and is not. */
export const garbage: FaultMode = {
  kind: 'http',
  httpStatus: 200,
  contentType: 'application/json',
  body: '{"permitted": tru\u0000',
}
